import type { Address } from "@countersign/core";

/** Model providers take names of at most so many characters, so hosts cut what is longer. */
export const hostLimit = 64;

/** What a host calls the tool: server and tool joined, other characters replaced, cut. */
export function hostName({ server, name }: Address): string {
  const joined = `mcp__${server}__${name.slice(0, hostLimit)}`;
  const spelled = /[^A-Za-z0-9_-]/.test(joined) ? joined.replace(/[^\p{L}\p{N}\p{M}_-]/gu, "_") : joined;
  return spelled.slice(0, hostLimit);
}
