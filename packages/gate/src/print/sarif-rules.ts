import { descriptionRules, identityRules, schemaRules } from "@countersign/judge";
import type { CheckRule } from "../lock/claim.ts";
import { rulePage } from "./rule-page.ts";

/** A rule as SARIF wants it described. */
export interface SarifRule {
  readonly id: string;
  /** One sentence. */
  readonly summary: string;
  /** Markdown. */
  readonly help: string;
  /** From 0.0 to 10.0; code scanning calls 7.0 high and 4.0 medium. */
  readonly severity: string;
  readonly level: "error" | "warning" | "note";
  readonly taxa: readonly string[];
}

/** Of the gates, or of the check itself. */
export async function sarifRule(id: string): Promise<SarifRule> {
  const own = ownRules.get(id);
  if (own !== undefined) return { id, ...own };
  const rule = [...descriptionRules, ...schemaRules, ...identityRules].find((one) => one.id === id);
  if (rule === undefined) throw new RangeError(`there is no rule ${id}`);
  const { summary, effect, confidence, taxa } = rule;
  const severity = { high: 0.8, medium: 0.4, low: 0 }[confidence] + { refuse: 8, ask: 5, note: 2 }[effect];
  return { id, summary, help: await rulePage(id), severity: severity.toFixed(1), level: levels[effect], taxa };
}

export const levels = { refuse: "error", ask: "warning", note: "note" } as const;

type OwnRule = Omit<SarifRule, "id">;

const next =
  "Run the server once with `countersign run`, look at it with `countersign review`, then `countersign lock` and commit the lockfile.";

const ownRules: ReadonlyMap<string, OwnRule> = new Map<CheckRule | ProjectRule, OwnRule>([
  [
    "description-mutation",
    {
      summary: "A definition is not the one that the lockfile approves.",
      help: `What a model reads of this definition has changed since it was approved. Whoever reviews the change should read it as instructions. ${next}`,
      ...{ severity: "8.8", level: "error", taxa: ["OWASP-MCP03", "AML.T0109", "SAFE-T1201"] },
    },
  ],
  [
    "masked-mutation",
    {
      summary: "A definition has another text, which its plan keeps from the model.",
      help: `The model still reads what was approved. ${next}`,
      ...{ severity: "2.0", level: "note", taxa: [] },
    },
  ],
  [
    "not-approved",
    {
      summary: "A server offers a definition that the lockfile does not approve.",
      help: `Nobody has approved this definition, so a guarded host does not let a model read it. ${next}`,
      ...{ severity: "8.0", level: "error", taxa: ["OWASP-MCP03", "AML.T0110"] },
    },
  ],
  [
    "no-longer-offered",
    {
      summary: "The lockfile approves a definition that the server no longer offers.",
      help: `An approval of what is not there is one that could come back unseen. ${next}`,
      ...{ severity: "3.0", level: "error", taxa: [] },
    },
  ],
  [
    "approval-expired",
    {
      summary: "The approval of a definition has run out.",
      help: `It was approved until the time that the lockfile says. ${next}`,
      ...{ severity: "5.0", level: "error", taxa: [] },
    },
  ],
  [
    "malformed",
    {
      summary: "A definition is malformed, and refused.",
      help: "Two readers could understand it differently, or it lacks what the protocol demands. Its server's author has to mend it.",
      ...{ severity: "7.0", level: "error", taxa: [] },
    },
  ],
  [
    "refused",
    {
      summary: "A definition is approved, and the config here does not let it pass.",
      help: "Under `strict`, what a rule refuses is taken away though it was approved. `countersign status` says which rule speaks.",
      ...{ severity: "7.0", level: "error", taxa: [] },
    },
  ],
  [
    "not-locked",
    {
      summary: "The project names a server that the lockfile does not hold.",
      help: `A host that opens this project would start a server of which nobody has approved anything. ${next}`,
      ...{ severity: "8.0", level: "error", taxa: ["OWASP-MCP09", "AML.T0081"] },
    },
  ],
  [
    "launch-changed",
    {
      summary: "The project would reach a server in another way than the lockfile approves.",
      help: `The command line, or a variable that steers what it runs, is not the one that was approved: another program could answer under the same name. ${next}`,
      ...{ severity: "8.8", level: "error", taxa: ["OWASP-MCP04", "AML.T0081"] },
    },
  ],
]);

export type ProjectRule = "not-locked" | "launch-changed";
