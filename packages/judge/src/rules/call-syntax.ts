import type { Claim, Rule, Subject, Text } from "../rule.ts";
import { matchesIn } from "../text/matches.ts";
import { nameKey } from "../text/name-key.ts";

/** Models write calls in such syntax. Read in a definition it can be taken for a call that was already decided. */
export const callSyntax: Rule = {
  id: "call-syntax",
  gate: "description",
  effect: "refuse",
  confidence: "high",
  summary: "Holds the syntax in which a model calls tools, or in which results come back",
  taxa: ["OWASP-MCP03", "OWASP-MCP06", "AML.T0110", "AML.T0053", "SAFE-T1001"],
  *inspect(subject) {
    for (const text of subject.phrases) {
      if (!/[<[{"`]/.test(text.text)) continue;
      for (const { span } of matchesIn(text.reading.folded, tokens)) yield { at: text.at, part: text.part, span };
      yield* callsIn(text, subject);
    }
  },
};

const tokens =
  /<\/? ?(?:antml:)?(?:tool_calls?|tool_use|tool_code|tool_results?|tool_responses?|tool_outputs?|function_calls?|function_results?|function_response)\b[^<>]{0,80}>|<(?:antml:)?invoke name ?=|\[\/?tool_(?:calls?|results?)\]|```tool_(?:code|calls?|outputs?)\b|"method" ?: ?"tools\/call"/g;

/** `{"name": ..., "arguments": ...}`, whatever quotes it came through. */
function* callsIn({ at, part, reading: { folded } }: Text, { address, context }: Subject): Iterable<Claim> {
  for (const { span, groups } of matchesIn(folded, calls)) {
    const [nameWord = "", written = "", argumentWord = ""] = groups;
    const name = nameKey(written);
    // An example of itself. No call above names anything longer.
    if (address.name.length <= longestName && name === nameKey(address.name)) continue;
    if (context.spoken.tools.has(name)) {
      yield { at, part, span, effect: "note", confidence: "low" };
      continue;
    }
    // A tool that takes a `name` and `parameters` shows what it takes. Any server can have such a tool, so that its values
    // have to be its own words, too, and no tool of another server.
    const { words } = context.spoken;
    if (words.has(nameKey(nameWord)) && words.has(nameKey(argumentWord))) {
      const foreign = [...context.foreign].some((one) => nameKey(one) === name);
      if (foreign || !words.has(name)) yield { at, part, span, effect: "ask", confidence: "low" };
      continue;
    }
    // A handshake comes before the first list of tools: any name may be one of the server's own.
    yield { at, part, span, confidence: "medium", effect: context.own.size === 0 ? "ask" : "refuse" };
  }
}

const longestName = 128;

const calls =
  /\{ ?\\?["'](name|tool|tool_name|function|function_name|recipient_name|action)\\?["'] ?: ?\\?["']([^"'\\{}]{1,128})\\?["'] ?, ?\\?["'](arguments|args|parameters|params|input|tool_input|action_input|tool_args)\\?["'] ?:/g;
