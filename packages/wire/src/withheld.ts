import { type Address, digestOfCanonical, type Ruling, type ServerName } from "@countersign/core";

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

/** What the model is told of it: a model never calls what it cannot see, so it could never learn of it by an error. */
export function noticeOf(server: ServerName, count: number): string | undefined {
  if (count === 0) return undefined;
  const [what, is, them] = count === 1 ? ["1 definition", "is", "it"] : [`${count} definitions`, "are", "them"];
  return `${what} of ${server} ${is} withheld; ask the user to review ${them} in Countersign.`;
}

/** Names a withheld definition to whoever is asked about it, without repeating anything that the server wrote. */
export function reviewId({ server, kind, name }: Address): string {
  return `cs-${digestOfCanonical("event", JSON.stringify([server, kind, name])).slice(-12)}`;
}
