import type { Command } from "@countersign/wire";

/**
 * The command line that somebody wrote as one argument: words, and quotes around a word or a part of it. Nothing is expanded
 * and no shell is asked. One word that is no path is a package of npm's.
 */
export function commandOf(line: string): Command | undefined {
  const words = wordsOf(line);
  const [command, ...args] = words ?? [];
  if (command === undefined) return undefined;
  if (args.length === 0 && isPackage(command)) return { command: "npx", args: ["-y", command] };
  return { command, args };
}

function isPackage(word: string): boolean {
  return /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*(?:@[\w.+^~-]+)?$/i.test(word);
}

/** Undefined where a quote is not closed. */
function wordsOf(line: string): readonly string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (const unit of line) {
    if (quote !== undefined) {
      if (unit === quote) quote = undefined;
      else word = (word ?? "") + unit;
    } else if (unit === '"' || unit === "'") {
      quote = unit;
      word ??= "";
    } else if (/\s/.test(unit)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + unit;
  }
  if (quote !== undefined) return undefined;
  return word === undefined ? words : [...words, word];
}
