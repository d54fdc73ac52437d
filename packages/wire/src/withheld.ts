import { type Address, digestOfCanonical, type Ruling, type ServerName, type Source } from "@countersign/core";

/** How many definitions the host misses. How a server presents itself is replaced where it is not approved, never missing. */
export function withheldIn(rulings: readonly Ruling[]): number {
  return rulings.filter(({ verdict, address }) => verdict !== "bind" && address.kind !== "server").length;
}

/** How many definitions the host is given though nobody approved them as they are. */
export function letThroughIn(rulings: readonly Ruling[]): number {
  return rulings.filter(isLetThrough).length;
}

export function isLetThrough({ reasons }: Ruling): boolean {
  return reasons.some(({ code }) => code === "OBSERVED" || code === "BYPASSED");
}

export interface Notice {
  /** How many definitions are withheld. */
  readonly withheld: number;
  /** Lists that the server has not given yet. */
  readonly late: readonly Source[];
}

/** What the model is told of it: a model never calls what it cannot see, so it could never learn of it by an error. */
export function noticeOf(server: ServerName, { withheld, late }: Notice): string | undefined {
  const sentences: string[] = [];
  if (withheld > 0) {
    const [what, is, them] = withheld === 1 ? ["1 definition", "is", "it"] : [`${withheld} definitions`, "are", "them"];
    sentences.push(`${what} of ${server} ${is} withheld; ask the user to review ${them} in Countersign.`);
  }
  if (late.length > 0) {
    const words = [...new Set(late.map((source) => wordOf(source)))];
    const what = [words.slice(0, -1).join(", "), words.at(-1)].filter((part) => part !== "").join(" and ");
    sentences.push(`The ${what} of ${server} are withheld until it has listed them.`);
  }
  return sentences.length === 0 ? undefined : sentences.join(" ");
}

/** `resources/templates/list` is of templates. */
function wordOf(source: Source): string {
  return source.split("/").at(-2) ?? source;
}

/** Names a withheld definition to whoever is asked about it, without repeating anything that the server wrote. */
export function reviewId({ server, kind, name }: Address): string {
  return `cs-${digestOfCanonical("event", JSON.stringify([server, kind, name])).slice(-12)}`;
}
