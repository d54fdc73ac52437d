import { asServerName, type Kind, type ServerName } from "../address.ts";
import { canonicalize } from "../canonical.ts";
import { digestOf, digestOfCanonical } from "../digest.ts";
import { readJson } from "../json.ts";
import type { LockedDefinition, LockedServer } from "../lockfile.ts";
import { asSent, type Plan } from "../plan.ts";
import { render } from "../render.ts";

export const ruleset = digestOfCanonical("ruleset", "[1]");

function named(name: string): ServerName {
  const server = asServerName(name);
  if (server === undefined) throw new Error(`${name} is no name of a server`);
  return server;
}

/** An approval of a value, as a ledger would give it to a lockfile. */
export function locked(
  server: string,
  kind: Kind,
  name: string,
  value: unknown,
  plan: Plan = asSent,
): LockedDefinition {
  const reading = readJson(JSON.stringify(value));
  if (reading.is === "refused") throw new Error(reading.refusal.code);
  const { json } = reading;
  const text = canonicalize(json);
  const received = digestOf(kind, json);
  const rendered = render(kind, text, received, plan);
  if (rendered.is === "unfit") throw new Error("unfit");
  return {
    ...{ address: { server: named(server), kind, name }, received, plan, acknowledged: [], text, json },
    ...{ contract: rendered.contract, rendered: rendered.rendering.digest },
  };
}

export function lockedServer(server: string, ...definitions: readonly LockedDefinition[]): LockedServer {
  return { server: named(server), ruleset, definitions };
}
