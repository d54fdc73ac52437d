import { type Model, readModel } from "../model/model.ts";
import { trained } from "../model/trained.ts";
import { carriedBy, type Opinion, weigherOf } from "../model/weigh.ts";
import type { Claim, Rule, Subject, Text } from "../rule.ts";

/**
 * What the other rules look for, they name; this one was learned from attacks and honest definitions, and knows more
 * wordings than anybody can list. So it ranks and asks, and never refuses alone: see `corroborated`.
 */
export function readsAsOrderBy(model: () => Model): Rule {
  let weigher: ReturnType<typeof weigherOf> | undefined;
  return {
    id: "reads-as-order",
    gate: "description",
    effect: "ask",
    confidence: "medium",
    summary: "Reads more like an order to the model than like the description of a tool",
    taxa: ["OWASP-MCP03", "OWASP-MCP06", "AML.T0110", "AML.T0051.001", "SAFE-T1001"],
    *inspect(subject) {
      weigher ??= weigherOf(model(), nearly);
      const weigh = weigher(subject);
      const found = subject.phrases.flatMap((text) => weigh(text).map((opinion) => ({ text, opinion })));
      found.sort((a, b) => b.opinion.score - a.opinion.score);
      for (const [rank, { text, opinion }] of found.entries()) yield claimOf(subject, text, opinion, rank);
    },
  };

  function claimOf(subject: Subject, text: Text, opinion: Opinion, rank: number): Claim {
    const { start, end, score } = opinion;
    // To tell why is to read it again.
    const carried = rank < explained ? carriedBy(model(), subject, text, opinion) : [];
    const most = (structural: boolean) =>
      carried
        .filter((one) => one.structural === structural && one.weight > 0)
        .slice(0, named)
        .map(({ what, weight }) => `${what} ${weight.toFixed(2)}`)
        .join("; ");
    return {
      ...{ at: text.at, part: text.part, span: { start, end } },
      ...(score > 0 ? {} : { effect: "note" }),
      confidence: score > sure ? "high" : score > likely ? "medium" : "low",
      data: { score: score.toFixed(2), words: most(false), structure: most(true) },
    };
  }
}

/** Log odds over what is asked about. What is nearly an order is noted, and asked about where a change brings it in. */
const nearly = -1;
const likely = 1;
const sure = 2;

/** Claims that say what carried them. */
const explained = 20;
/** Features of each sort that they name. */
const named = 6;

let shipped: Model | undefined;

function shippedModel(): Model {
  shipped ??= readModel(trained);
  return shipped;
}

export const readsAsOrder: Rule = readsAsOrderBy(shippedModel);
