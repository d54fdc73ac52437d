import {
  type Address,
  type Digest,
  digestOf,
  emptySnapshot,
  ManifestBindingError,
  type Reason,
  readDefinition,
  visible,
} from "@countersign/core";
import { rule } from "./judge.ts";
import { defaultPolicy, type Policy } from "./policy.ts";

/** What `bindManifest` takes as known. */
export interface BindOptions {
  readonly policy?: Policy;
  /** Rules whose findings somebody has looked at, for this very text. */
  readonly acknowledged?: readonly string[];
  /** Tools of other servers that the same model is given. */
  readonly neighbours?: readonly Address[];
}

/**
 * Judges one definition before it is bound, by the schema, description and identity gates; none discharges another.
 * There is nobody to ask here, so a finding that asks refuses as well, unless it is acknowledged. Whether this is the
 * definition that was approved is the baseline gate's question: see `verifyDefinition`.
 *
 * @param text the definition's JSON as it crossed the wire
 * @returns the digest over everything that a model could read; bind again when it changes
 * @throws ManifestBindingError with all reasons as data
 */
export function bindManifest(address: Address, text: string, options: BindOptions = {}): Digest {
  const json = readDefinition(address, text);
  const received = digestOf(address.kind, json);
  const definition = { address, text, json, received };
  const offer = {
    server: address.server,
    source: "tools/list",
    digest: received,
    definitions: [definition],
    malformed: [],
  } as const;
  const [ruling] = rule(
    offer,
    { ...emptySnapshot, neighbours: options.neighbours ?? [] },
    options.policy ?? defaultPolicy,
  );
  const acknowledged = new Set(options.acknowledged ?? []);
  const against = (ruling?.reasons ?? []).filter((reason) => speaksAgainst(reason, acknowledged));
  if (ruling !== undefined && against.length === 0) return received;
  const what = `${address.kind} "${visible(address.name)}" of ${address.server}`;
  const code = against.some((one) => one.code === "GATE_FAILED") ? "GATE_FAILED" : "FINDING";
  throw new ManifestBindingError(
    code,
    address,
    against,
    `Cannot bind ${what}: ${against.map(say).join(", ")}; leave it out, or acknowledge the rule after looking at it`,
  );
}

function speaksAgainst(reason: Reason, acknowledged: ReadonlySet<string>): boolean {
  if (reason.code === "FINDING") return reason.finding.effect !== "note" && !acknowledged.has(reason.finding.rule);
  return reason.gate !== "baseline" || reason.code === "GATE_FAILED";
}

function say(reason: Reason): string {
  if (reason.code !== "FINDING") return `${reason.gate} gate: ${reason.code}`;
  const { rule, at } = reason.finding;
  return `${rule} at ${at === "" ? "the whole" : `"${visible(at)}"`}`;
}
