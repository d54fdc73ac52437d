import { descriptionRules, identityRules, schemaRules } from "@countersign/judge";
import type { Claim } from "../lock/claim.ts";

/** What a claim says, in one sentence that holds no word of a server's but the place. */
export function sentenceOf({
  rule,
  at,
  change,
  acknowledged,
}: Pick<Claim, "rule" | "at" | "change" | "acknowledged">): string {
  const where = at === "" ? "" : ` at ${at}`;
  if (change !== undefined) return `${own.get(rule) ?? rule}, ${change}${where}.`;
  const said = own.get(rule) ?? summaries.get(rule) ?? rule;
  return `${said.replace(/\.$/, "")}${where}${acknowledged ? ", as was acknowledged" : ""}.`;
}

const summaries: ReadonlyMap<string, string> = new Map(
  [...descriptionRules, ...schemaRules, ...identityRules].map(({ id, summary }) => [id, summary]),
);

const own: ReadonlyMap<string, string> = new Map([
  ["description-mutation", "it is not what was approved"],
  ["masked-mutation", "its server has another text, which the model does not read"],
  ["not-approved", "nobody has approved it"],
  ["no-longer-offered", "it is approved, and no longer offered"],
  ["approval-expired", "its approval has run out"],
  ["malformed", "it is malformed"],
  ["refused", "it is approved, and the config here does not let it pass"],
]);
