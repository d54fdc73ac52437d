import { homedir } from "node:os";
import type { LockedServer, Offer, Source } from "@countersign/core";
import { type Look, lookAt } from "../look.ts";
import { type Target, targetHere } from "../remote/target.ts";
import { lockedLaunch } from "./check-projects.ts";
import type { Offered } from "./check-server.ts";
import { targetOf } from "./portable-launch.ts";

/** What would be started, or asked, for a server of a lockfile. `SECRET`: it needs one that the lockfile does not hold. */
export type Startable = Target | { readonly because: "NO_LAUNCH" | "NO_COMMAND" | "SECRET" };

export function startable(locked: LockedServer, folder: string): Startable {
  const launch = lockedLaunch(locked);
  return launch === undefined ? { because: "NO_LAUNCH" } : targetOf(launch, { folder, home: homedir() });
}

export interface LookedAt extends Offered {
  /** Why there is nothing, or not all: what became of the server, and its last line, made visible. */
  readonly trouble?: { readonly code: string; readonly lastWords: string };
}

/**
 * Starts a server as it is locked, or goes to where it is, and asks for all that it offers; in the newer era as well where something of it is locked
 * that only that one asks for.
 */
export async function lookAtLocked(locked: LockedServer, target: Target, deadline: number): Promise<LookedAt> {
  const command = await targetHere(locked.server, target, "check");
  const look = (newerEra: boolean) =>
    // Nothing passes: what it offers is judged afterwards.
    lookAt({ server: locked.server, command, deadline, newerEra, rule: async () => [] });
  const first = await look(false);
  const had = new Set<Source>(first.offers.map(({ source }) => source));
  const newer = locked.definitions.some(({ address }) => address.name === "server/discover");
  const looks =
    newer && !had.has("server/discover") && troubleOf(first) === undefined ? [first, await look(true)] : [first];
  const offers = new Map<Source, Offer>();
  for (const { offers: some } of looks)
    for (const offer of some) if (!offers.has(offer.source)) offers.set(offer.source, offer);
  const trouble = looks.map(troubleOf).find((one) => one !== undefined);
  return {
    offers: [...offers.values()],
    failures: looks.flatMap(({ failures }) => failures),
    // A handshake of an era that was not spoken says nothing; lists and what stands behind them are the same in both.
    isAll: (source) => source !== "initialize" && source !== "server/discover",
    ...(trouble === undefined ? {} : { trouble }),
  };
}

function troubleOf({ ended, failures, offers, lastWords, unreached }: Look): LookedAt["trouble"] {
  const trouble = (code: string) => ({ code, lastWords });
  if (unreached !== undefined && offers.length === 0)
    return trouble(unreached === "NEEDS_SIGN_IN" ? unreached : `NOT_REACHED ${unreached}`);
  if (ended?.is === "not-started") return trouble(`NOT_STARTED ${ended.code}`);
  if (ended?.is === "exited") return trouble(`EXITED ${ended.code}`);
  if (ended?.is === "killed") return trouble(`KILLED ${ended.signal}`);
  if (failures.some(({ source, code }) => source === "initialize" && code === "NO_ANSWER")) return trouble("NO_ANSWER");
  return offers.length === 0 ? trouble("NO_HANDSHAKE") : undefined;
}
