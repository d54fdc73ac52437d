import { createHash } from "node:crypto";
import { dirname } from "node:path";
import {
  addressKey,
  asSent,
  isSamePlan,
  type Kind,
  type LockedDefinition,
  type LockedServer,
  offerDigest,
  type Plan,
  type RawDefinition,
  type Snapshot,
  visible,
  withdrawnKey,
} from "@countersign/core";
import { type Policy, policyDigest, rule, rulesetDigest } from "@countersign/judge";
import type { Ledger } from "@countersign/ledger";
import { approvalOf } from "../approval.ts";
import { type ExitCode, exitCodes, GateError } from "../gate-error.ts";
import { lockedLaunch } from "../lock/check-projects.ts";
import { lockfileBytesAt, lockfileIn, lockfilePath } from "../lock/lockfile-at.ts";
import { startable } from "../lock/look-at-locked.ts";
import { isSameCommand, portableLaunch } from "../lock/portable-launch.ts";
import { besideOf, snapshotOfLock } from "../lock/snapshot-of-lock.ts";
import { wordsOf } from "../print/launch-row.ts";
import { shownName, type View } from "../print/view.ts";
import { giveTrust, lockfileTrust } from "../project/trust.ts";
import { launchOfTarget } from "../remote/target.ts";
import { objectionsTo } from "../standing.ts";
import { type Places, settingsFor, withLedger } from "./open.ts";

export interface TrustLockfileOptions extends Places {
  readonly path: string;
  /** Of the file that somebody looked at: another one is not trusted. */
  readonly digest?: string;
}

/** What trusting a lockfile would approve of one server here. */
export interface LockfileOffer {
  readonly server: string;
  /** The command line that is approved, made visible; absent where the lockfile holds none. */
  readonly launch?: string;
  /** `approved`: it would be reached by that here. `left`: the ledger has a decision about it, or it cannot be told. */
  readonly launchIs: "approved" | "as-it-was" | "left";
  readonly approve: readonly { readonly kind: Kind; readonly name: string; readonly is: "new" | "changed" }[];
  /** Approved here as they are there. */
  readonly same: number;
  /** `WITHDRAWN`: somebody here decided against it. `FINDINGS`: these rules speak against it, and nobody acknowledged them. */
  readonly leftOut: readonly {
    readonly kind: Kind;
    readonly name: string;
    readonly because: "WITHDRAWN" | "FINDINGS";
    readonly rules: readonly string[];
  }[];
}

export interface ExaminedLockfile {
  readonly path: string;
  readonly digest: string;
  readonly servers: readonly LockfileOffer[];
}

export interface TrustLockfileReport extends ExaminedLockfile {
  readonly exitCode: ExitCode;
}

/**
 * Approves here what a lockfile approves, as one decision of whoever agrees, and trusts that very file. A decision that somebody has
 * made here against a text is not overruled, and what a rule refuses or asks about waits for a review of its own.
 *
 * @throws GateError where it cannot be read, or where nobody agreed
 */
export async function trustLockfile(
  options: TrustLockfileOptions,
  agree: (examined: ExaminedLockfile) => Promise<boolean>,
  by: string,
  view: View,
): Promise<TrustLockfileReport> {
  const path = lockfilePath(options.path);
  const bytes = await lockfileBytesAt(path);
  const digest = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
  if (options.digest !== undefined && options.digest !== digest) {
    throw new GateError(
      "MOVED",
      `Cannot trust lockfile "${visible(path)}": its digest is ${digest}, not the one that was given; nothing was approved; look at it again`,
    );
  }
  const { lockfile } = lockfileIn(bytes, path);
  return withLedger(options, async (ledger) => {
    const proposals: Proposal[] = [];
    for (const locked of lockfile.servers) {
      const { policy } = (await settingsFor(locked.server, options)).settings;
      proposals.push(await proposalOf(locked, lockfile.servers, { ledger, policy, folder: dirname(path), view }));
    }
    const examined = { path, digest, servers: proposals.map(({ row }) => row) };
    if (!(await agree(examined))) throw new GateError("MOVED", `Did not trust "${visible(path)}": nobody said yes`);
    for (const proposal of proposals) await record(ledger, proposal, digest, by);
    await giveTrust(lockfileTrust(path, bytes), by);
    const left = proposals.some(({ row }) => row.leftOut.length > 0);
    return { ...examined, exitCode: left ? exitCodes.unapproved : exitCodes.clean };
  });
}

interface Approving {
  readonly definition: RawDefinition;
  readonly acknowledged: readonly string[];
  readonly plan: Plan;
  readonly expires?: number;
}

interface Proposal {
  readonly row: LockfileOffer;
  readonly locked: LockedServer;
  readonly approving: readonly Approving[];
  readonly policy: Policy;
  /** The last event about the server that was seen. */
  readonly seq: number;
}

interface Here {
  readonly ledger: Ledger;
  readonly policy: Policy;
  readonly folder: string;
  readonly view: View;
}

async function proposalOf(
  locked: LockedServer,
  servers: readonly LockedServer[],
  { ledger, policy, folder, view }: Here,
): Promise<Proposal> {
  const seq = (await ledger.state()).servers.get(locked.server)?.seq ?? 0;
  const snapshot = await ledger.snapshot(locked.server);
  const definitions = locked.definitions.filter(({ address }) => address.kind !== "launch");
  const raw = definitions.map(({ address, text, json, received }) => ({ address, text, json, received }));
  const rulings = rule(
    { server: locked.server, definitions: raw, malformed: [] },
    snapshotOfLock(locked, besideOf(locked, servers), policy, snapshot.now),
    policy,
  );
  const approving: Approving[] = [];
  const approve: LockfileOffer["approve"][number][] = [];
  const leftOut: LockfileOffer["leftOut"][number][] = [];
  let same = 0;
  for (const [index, one] of definitions.entries()) {
    const ruling = rulings[index];
    const definition = raw[index];
    if (ruling === undefined || definition === undefined) throw new RangeError("a definition has no ruling");
    const row = { kind: one.address.kind, name: shownName(one.address.name, view) };
    const rules = objectionsTo(ruling);
    const binding = snapshot.bindings.get(addressKey(one.address));
    if (isApprovedHere(one, snapshot)) same++;
    else if (isWithdrawn(one, snapshot)) leftOut.push({ ...row, because: "WITHDRAWN", rules: [] });
    else if (rules.length > 0 || ruling.verdict !== "bind") leftOut.push({ ...row, because: "FINDINGS", rules });
    else {
      approve.push({ ...row, is: binding === undefined ? "new" : "changed" });
      const acknowledged = one.acknowledged.map(({ rule }) => rule);
      const expires = one.expires === undefined ? {} : { expires: one.expires };
      approving.push({ definition, acknowledged, plan: one.plan, ...expires });
    }
  }
  const launch = launchHere(locked, folder, snapshot);
  if (launch.definition !== undefined) {
    approving.push({ definition: launch.definition, acknowledged: [], plan: asSent });
  }
  const words = lockedLaunch(locked);
  return {
    row: {
      server: locked.server,
      ...(words === undefined ? {} : { launch: visible(wordsOf(words)) }),
      ...{ launchIs: launch.is, approve, same, leftOut },
    },
    ...{ locked, approving, policy, seq },
  };
}

/** How this machine would reach the server by the command that is locked: which files that leads to, nobody else can say. */
function launchHere(
  locked: LockedServer,
  folder: string,
  snapshot: Snapshot,
): { readonly is: LockfileOffer["launchIs"]; readonly definition?: RawDefinition } {
  const approved = lockedLaunch(locked);
  const start = startable(locked, folder);
  if (approved === undefined || "because" in start) return { is: "left" };
  const [definition] = launchOfTarget(locked.server, start).definitions;
  if (definition === undefined || !isSameCommand(portableLaunch(definition.json, new Set()), approved))
    return { is: "left" };
  const { address, received } = definition;
  if (snapshot.withdrawn.has(withdrawnKey(received, addressKey(address)))) return { is: "left" };
  const is = snapshot.bindings.get(addressKey(address))?.received === received ? "as-it-was" : "approved";
  return { is, ...(is === "approved" ? { definition } : {}) };
}

function isApprovedHere(
  { address, received, plan, acknowledged, expires }: LockedDefinition,
  snapshot: Snapshot,
): boolean {
  const binding = snapshot.bindings.get(addressKey(address));
  if (binding === undefined || binding.received !== received || !isSamePlan(binding.plan, plan)) return false;
  const heard = new Set(binding.acknowledged.map(({ rule }) => rule));
  return binding.expires === expires && acknowledged.every(({ rule }) => heard.has(rule));
}

function isWithdrawn({ address, received }: LockedDefinition, { withdrawn }: Snapshot): boolean {
  return withdrawn.has(withdrawnKey(received, addressKey(address)));
}

/** One entry of the journal for all that ends at the same time. */
async function record(ledger: Ledger, { locked, approving, policy, seq }: Proposal, digest: string, by: string) {
  const { server } = locked;
  const ends = new Map<number | undefined, Approving[]>();
  for (const one of approving) ends.set(one.expires, [...(ends.get(one.expires) ?? []), one]);
  let seen = seq;
  for (const [expires, definitions] of ends) {
    const made = approvalOf({
      ...{ server, definitions, by, reason: `countersign.lock ${digest}` },
      ...(expires === undefined ? {} : { expires }),
      offer: offerDigest(definitions.map(({ definition }) => definition)),
      ...{ ruleset: rulesetDigest, policy: policyDigest(policy) },
    });
    if (made.is === "unfit") throw new RangeError("a plan that was read fits");
    const received = definitions.map(({ definition: { address, received, text } }) => {
      return { kind: address.kind, digest: received, text };
    });
    const result = await ledger.record(made.event, {
      texts: [...received, ...made.texts],
      // What was shown also showed what had been decided here.
      expecting: [{ is: "unchanged-since", seq: seen }],
    });
    if (result.is !== "recorded") {
      throw new GateError(
        "MOVED",
        `Cannot approve what the lockfile does of ${server}: the ledger changed while you looked; trust the lockfile again`,
      );
    }
    seen = result.seq;
  }
}
