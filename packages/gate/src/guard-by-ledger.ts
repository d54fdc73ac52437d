import { randomBytes } from "node:crypto";
import { launchStanding, type Offer, type Ruling } from "@countersign/core";
import { asPrincipalId, type Ledger, type LedgerSnapshot, type PrincipalId } from "@countersign/ledger";
import type { CallGate, GuardOptions } from "@countersign/wire";
import type { ServerSettings } from "./config.ts";
import { letThroughNow } from "./let-through-now.ts";
import { allBindings } from "./snapshot-for.ts";

export type GuardByLedger = Pick<
  GuardOptions,
  "server" | "rule" | "calls" | "allowed" | "known" | "nonce" | "checkpoints"
>;

/**
 * What a guard asks, however it is connected, answered by the ledger and the settings. What judges is loaded from now on,
 * while the server starts; what checks calls, when one comes.
 *
 * @param launch how the server is reached; see `noLaunch`
 * @param principal whose connection it is (`Principal.id`); undefined where there is one for all who use the server
 * @param notJournalled told where so many principals are offered something of their own that this one's is not kept
 */
export function guardByLedger(
  ledger: Ledger,
  launch: Offer,
  settings: ServerSettings,
  principal?: string,
  notJournalled?: () => void,
): GuardByLedger {
  const forWhom = {
    ...(principal === undefined ? {} : { principal: principalOf(principal) }),
    ...(notJournalled === undefined ? {} : { notJournalled }),
  };
  let rule = async (offer: Offer): Promise<readonly Ruling[]> => (await judging)(offer);
  const judging = import("./rule-by-ledger.ts").then(({ ruleByLedger }) => {
    rule = ruleByLedger(ledger, launch, settings, Date.now, forWhom);
    return rule;
  });
  let calls: Promise<CallGate> | undefined;
  return {
    server: launch.server,
    rule: (offer) => rule(offer),
    calls: () => {
      calls ??= import("./call-gate.ts").then(({ callGate }) => callGate(settings.calls));
      return calls;
    },
    allowed: {
      methods: settings.allow,
      judge: async (sampling) => {
        const { judgeSamplingByLedger } = await import("./judge-sampling-by-ledger.ts");
        return judgeSamplingByLedger(ledger, launch, settings.policy, forWhom.principal)(sampling);
      },
    },
    known: async () => isKnown(await reachedBy(ledger, launch), settings.mode),
    nonce: freshNonce(),
    checkpoints: settings.checkpoints,
  };
}

/** Of every connection: no host can guess it. */
export function freshNonce(): string {
  return `countersign-${randomBytes(16).toString("hex")}`;
}

function principalOf(id: string): PrincipalId {
  const principal = asPrincipalId(id);
  if (principal === undefined) throw new RangeError("a principal has a name that no journal holds");
  return principal;
}

/** What the ledger says now of a server that is reached in this way: the launch that was sighted last may be another process's. */
export async function reachedBy(ledger: Ledger, launch: Offer): Promise<LedgerSnapshot> {
  return { ...(await ledger.snapshot(launch.server)), launch: launch.definitions[0]?.received };
}

/** Whether anything of a server may pass. */
function isKnown(snapshot: LedgerSnapshot, mode: ServerSettings["mode"]): boolean {
  if (letThroughNow(mode, snapshot) !== undefined) return true;
  // What was approved of a file under this name says nothing about a server that is run under it.
  const offered = [...allBindings(snapshot)].some(({ address: { kind } }) => kind !== "claim" && kind !== "skill");
  return offered && launchStanding(snapshot) === "approved";
}
