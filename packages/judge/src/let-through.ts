import { type LetThrough, type Offer, type Plan, type RawDefinition, type Ruling, render } from "@countersign/core";

/**
 * What becomes of rulings while the operator lets everything of a server pass: they keep all their reasons, and what was
 * not bound is, as the server sent it but for its plan. Still out is what somebody decided against, what a gate broke on, and what is
 * malformed. docs/decisions/0009-observe-and-bypass.md
 *
 * @param rulings on the definitions of the offer, in their order, and then on what is malformed of it
 */
export function letThrough(
  offer: Pick<Offer, "definitions">,
  rulings: readonly Ruling[],
  because: LetThrough,
  planOf: (definition: RawDefinition) => Plan,
): readonly Ruling[] {
  return rulings.map((ruling, index) => {
    const definition = offer.definitions[index];
    return definition === undefined ? ruling : letOneThrough(definition, ruling, because, planOf(definition));
  });
}

function letOneThrough(definition: RawDefinition, ruling: Ruling, because: LetThrough, plan: Plan): Ruling {
  const { address, reasons, verdict } = ruling;
  if (verdict === "bind" || reasons.some(({ code }) => stays.has(code))) return ruling;
  const { received, text } = definition;
  const rendered = render(address.kind, text, received, plan);
  // A plan that does not fit was meant for another text; what it would have kept from the model is not let through either.
  if (rendered.is === "unfit") return ruling;
  return {
    address,
    reasons: [...reasons, { gate: "baseline", code: because }],
    ...{ verdict: "bind", received, rendering: rendered.rendering },
  };
}

const stays: ReadonlySet<string> = new Set(["REJECTED", "REVOKED", "GATE_FAILED", "NOT_ALLOWED"]);
