/**
 * How many tokens a text is to a model, about. Calibrated on the tool definitions of fifty published servers against o200k, the
 * published vocabulary of OpenAI's models; `vectors/tokens/` holds counts of it. No other provider publishes one.
 */
export function tokensIn(text: string): number {
  let tokens = 0;
  for (const { groups = {} } of text.matchAll(runs)) {
    if (groups["word"] !== undefined) tokens += Math.max(1, groups["word"].length / 6.5);
    else if (groups["accented"] !== undefined) tokens += Math.max(1, groups["accented"].length / 4);
    else if (groups["digits"] !== undefined) tokens += Math.ceil(groups["digits"].length / 3);
    else if (groups["space"] !== undefined)
      tokens += groups["space"] === " " ? 0.04 : 0.4 + groups["space"].length / 16;
    else if (groups["ideograms"] !== undefined) tokens += groups["ideograms"].length * 0.8;
    else if (groups["letters"] !== undefined) tokens += groups["letters"].length * 0.28;
    else tokens += Math.max(1, (groups["signs"] ?? "").length / 2.6);
  }
  return Math.round(tokens * 0.93);
}

/** Each run of one kind; the kinds exclude one another, so that the time is linear. */
const runs =
  /(?<digits>[0-9]+)|(?<space>\s+)|(?<ideograms>[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef]+)|(?<word>[A-Za-z]+(?!\p{Script=Latin}))|(?<accented>\p{Script=Latin}+)|(?<letters>\P{ASCII}+?(?=[\p{ASCII}\p{Script=Latin}\s]|$))|(?<signs>\p{ASCII}+?(?=[A-Za-z0-9\s]|\P{ASCII}|$))/gu;
