import type { Config } from "../config-schema.ts";
import { reachMembers } from "./reach-schema.ts";

/** A setting that counts in the operator's own config only. */
export interface OwnOnly {
  /** `servers.files.command`. */
  readonly at: string;
  readonly value: unknown;
}

/** What a config says of how servers are reached, and of the gateway as such. */
export function ownOnlyIn({ servers = {}, gateway = {} }: Config): readonly OwnOnly[] {
  const reached = Object.entries(servers).flatMap(([name, server]) =>
    reachMembers
      .filter((member) => server[member] !== undefined)
      .map((member) => ({ at: `servers.${name}.${member}`, value: server[member] })),
  );
  return [...reached, ...Object.entries(gateway).map(([member, value]) => ({ at: `gateway.${member}`, value }))];
}
