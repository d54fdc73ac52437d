/**
 * The words of `npx -y pkg`, which is a command line in the place of a command. Undefined where it is one command: a path
 * may have spaces in it. `shell` where only a shell could say what its words are.
 */
export function wordsOf(command: string): readonly string[] | "shell" | undefined {
  const [first = ""] = command.trim().split(/\s+/);
  if (first === command || /^["']?(?:[/\\.~]|[A-Za-z]:)/.test(first)) return undefined;
  if (/[;&|<>`\n]|\$\(/.test(command)) return "shell";
  const words: string[] = [];
  for (const [word] of command.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)) words.push(word.replace(/["']/g, ""));
  return words.length > 1 ? words : undefined;
}
