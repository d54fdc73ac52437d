/** How the words of a name are joined. */
export type Convention = "one-word" | "snake" | "kebab" | "dotted" | "camel" | "pascal" | "mixed";

const conventions: readonly (readonly [Convention, RegExp])[] = [
  ["one-word", /^[a-z0-9]+$/],
  ["snake", /^[a-z0-9]+(?:_[a-z0-9]+)+$/],
  ["kebab", /^[a-z0-9]+(?:-[a-z0-9]+)+$/],
  ["dotted", /^[a-z0-9]+(?:\.[a-z0-9]+)+$/],
  ["camel", /^[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+$/],
  ["pascal", /^(?:[A-Z][a-z0-9]*)+$/],
];

export function conventionOf(name: string): Convention {
  return conventions.find(([, pattern]) => pattern.test(name))?.[0] ?? "mixed";
}
