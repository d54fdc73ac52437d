import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";

const folder = resolve(import.meta.dirname, "../../node_modules/@modelcontextprotocol/conformance/requirements");

/**
 * The scenarios that the official conformance suite lists for a revision, scored or not: of servers, and of clients, but for
 * those in which a client signs in.
 */
export function requiredOf(revision: string): readonly string[] {
  const lists = parse(readFileSync(join(folder, `${revision}.yaml`), "utf8")) as Lists;
  const all = [...lists.server, ...lists.client, ...lists.not_scored.map(({ scenario }) => scenario)];
  return [...new Set(all)].filter((scenario) => !scenario.startsWith("auth/"));
}

interface Lists {
  readonly server: readonly string[];
  readonly client: readonly string[];
  readonly not_scored: readonly { readonly scenario: string }[];
}
