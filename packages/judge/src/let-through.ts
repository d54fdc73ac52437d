import type { LetThrough, Offer, RawDefinition, Ruling } from "@countersign/core";

/**
 * What becomes of rulings while the operator lets everything of a server pass: they keep all their reasons, and what was
 * not bound is, as the server sent it. Still out is what somebody decided against, what a gate broke on, and what is
 * malformed. docs/decisions/0009-observe-and-bypass.md
 *
 * @param rulings on the definitions of the offer, in their order, and then on what is malformed of it
 */
export function letThrough(
  offer: Pick<Offer, "definitions">,
  rulings: readonly Ruling[],
  because: LetThrough,
): readonly Ruling[] {
  return rulings.map((ruling, index) => letOneThrough(offer.definitions[index], ruling, because));
}

function letOneThrough(definition: RawDefinition | undefined, ruling: Ruling, because: LetThrough): Ruling {
  const { address, reasons, verdict } = ruling;
  if (verdict === "bind" || definition === undefined || reasons.some(({ code }) => stays.has(code))) return ruling;
  const { received, text } = definition;
  return {
    address,
    reasons: [...reasons, { gate: "baseline", code: because }],
    ...{ verdict: "bind", received, rendering: { text, digest: received } },
  };
}

const stays: ReadonlySet<string> = new Set(["REJECTED", "REVOKED", "GATE_FAILED"]);
