import { addressKey, asDigest, type Digest, launchStanding, type ServerName, visible } from "@countersign/core";
import { type Policy, policyDigest, rulesetDigest } from "@countersign/judge";
import type { Ledger, PrincipalId } from "@countersign/ledger";
import { type ApprovalMade, approvalOf } from "../approval.ts";
import { approvalScope } from "../approval-scope.ts";
import { lifetimeOf } from "../duration.ts";
import { type ExitCode, exitCodes, GateError } from "../gate-error.ts";
import { overridden, type PlanWords, saysAnything } from "../plan-override.ts";
import { type Long, tooLongToSee } from "../print/too-long-to-see.ts";
import { shownName } from "../print/view.ts";
import { counted } from "../print/within.ts";
import { allBindings } from "../snapshot-for.ts";
import { asksAgain, isClean, objectionsTo, type Standing, type Stood, standingOf, waits } from "../standing.ts";
import { survivorsIn } from "../survivors.ts";
import { type Places, settingsFor, standingFor, withLedger } from "./open.ts";
import { serverNamed } from "./scan.ts";

export interface ApproveOptions extends Places, PlanWords {
  readonly server: string;
  /** The digest of the whole offer that was looked at, from `status <server> --offer`. */
  readonly offer?: string;
  /** Or the digest of one definition. */
  readonly digest?: string;
  /** Leave out what has findings that ask or refuse. */
  readonly clean?: boolean;
  readonly acknowledge?: readonly string[];
  /** Approve for all what only some principals are offered: the one definition that `digest` names. */
  readonly everyone?: boolean;
  /** Approve what is longer than what is shown at once, too. */
  readonly unseen?: boolean;
  readonly reason?: string;
  /** How long the approval holds, as in 30d; for good where it is not said. */
  readonly expires?: string;
  readonly by: string;
}

export interface ApproveReport {
  readonly server: string;
  readonly offer: Digest;
  /** A name that is text is not shown. */
  readonly approved: readonly {
    readonly kind: string;
    readonly name: string;
    readonly received: Digest;
    /** It is a variant for these; absent where it is for all. */
    readonly principals?: readonly string[];
  }[];
  /**
   * Places at which the server's own words are left in what the model reads of stripped definitions: names, and values that a
   * contract needs. Absent where nothing is stripped.
   */
  readonly survivors?: readonly {
    readonly kind: string;
    readonly name: string;
    readonly at: string;
    readonly part: string;
  }[];
  /** Definitions of the offer that still wait. */
  readonly leftOut: number;
  readonly seq: number;
  /** When all of it waits for a decision again. */
  readonly expires?: string;
  /** Hosts have to connect again: the server was not started for them. */
  readonly reconnect: boolean;
  readonly exitCode: ExitCode;
}

/** Approves exactly the set that a digest names. A prefix is no digest, and a set that has moved is not approved. */
export async function approve(options: ApproveOptions): Promise<ApproveReport> {
  const server = serverNamed(options.server);
  const lifetime = options.expires === undefined ? undefined : lifetimeOf(options.expires, "an approval");
  return withLedger(options, async (ledger) => {
    if (options.everyone === true && options.digest === undefined) {
      throw new GateError(
        "USAGE",
        `Cannot approve a whole offer for everyone: principals may be offered different texts of one definition; name the one with --digest <digest>`,
      );
    }
    const { policy } = (await settingsFor(server, options)).settings;
    const present = await standingFor(ledger, server, options);
    const named = definitionsNamed(present, options);
    if (named.length === 0) {
      throw new GateError(
        "NOTHING_WAITS",
        `Cannot approve anything of ${server}: nothing of it waits for a decision; see countersign status ${server}`,
      );
    }
    const standing = saysAnything(options) ? await planned(ledger, present, named, policy, options) : present;
    const wanted = definitionsNamed(standing, options);
    const chosen =
      options.clean === true ? wanted.filter(({ ruling }) => isClean(ruling) || isCleanDrift(ruling)) : wanted;
    const acknowledged = new Set(options.acknowledge ?? []);
    const objections = new Set(
      chosen.flatMap(({ ruling }) => objectionsTo(ruling)).filter((rule) => !acknowledged.has(rule)),
    );
    if (objections.size > 0) {
      const rules = [...objections];
      throw new GateError(
        "FINDINGS",
        `Cannot approve this offer of ${server}: ${rules.join(", ")} ${rules.length === 1 ? "speaks" : "speak"} against a part of it; ` +
          `look at it with countersign review ${server}, then approve the rest with --clean or add ${rules.map((rule) => `--acknowledge ${rule}`).join(" ")}`,
      );
    }
    if (chosen.length === 0) {
      throw new GateError(
        "FINDINGS",
        `Cannot approve the clean part of this offer of ${server}: all that waits has findings; look at it with countersign review ${server}`,
      );
    }
    const long = tooLongToSee(chosen);
    if (long.length > 0 && options.unseen !== true) throw notDisplayed(server, long);
    const expires = lifetime === undefined ? undefined : Date.now() + lifetime;
    const seq = await recordApproval(ledger, standing, chosen, {
      ...{ acknowledged, unseen: long.length > 0, everyone: options.everyone === true },
      by: options.by,
      ...(options.reason === undefined ? {} : { reason: options.reason }),
      ...(expires === undefined ? {} : { expires }),
      policy: policyDigest(policy),
    });
    return {
      server,
      offer: standing.offer,
      approved: chosen.map((stood) => {
        const { address, received } = stood.definition;
        const principals = options.everyone === true ? undefined : approvalScope(standing, stood);
        return {
          ...{ kind: address.kind, name: shownName(address.name, { text: false }), received },
          ...(principals === undefined ? {} : { principals }),
        };
      }),
      ...survivorsOf(chosen),
      leftOut: standing.definitions.filter(waits).length - chosen.filter(waits).length,
      seq,
      ...(expires === undefined ? {} : { expires: new Date(expires).toISOString() }),
      reconnect: releases(standing, chosen),
      exitCode: exitCodes.clean,
    };
  });
}

function survivorsOf(chosen: readonly Stood[]): Pick<ApproveReport, "survivors"> {
  if (!chosen.some(({ plan }) => plan.prose === "stripped")) return {};
  const survivors = chosen.flatMap((stood) => {
    const { kind, name } = stood.definition.address;
    const shown = { kind, name: shownName(name, { text: false }) };
    return survivorsIn(stood).map(({ at, part }) => ({
      ...shown,
      at: at === "" ? "" : shownName(at, { text: false }),
      part,
    }));
  });
  return { survivors };
}

/** How it stands under the plans that somebody has just named. */
export async function planned(
  ledger: Ledger,
  { server }: Standing,
  named: readonly Stood[],
  policy: Policy,
  words: PlanWords,
): Promise<Standing> {
  const definitions = named.map(({ definition }) => definition);
  const standing = await standingOf(ledger, server, overridden(policy, definitions, words));
  if (standing === undefined) throw new RangeError("a server that was seen is seen");
  return standing;
}

/** Whether an approval lets a server be started that was not started before it. */
export function releases({ snapshot }: Standing, chosen: readonly Stood[]): boolean {
  return launchStanding(snapshot) === "held" && chosen.some(({ definition }) => definition.address.kind === "launch");
}

/** A change in which no rule finds anything is as clean as a first sight in which none does. */
function isCleanDrift(ruling: Stood["ruling"]): boolean {
  return ruling.verdict === "quarantine" && objectionsTo(ruling).length === 0;
}

function definitionsNamed(standing: Standing, { offer, digest, server, ...words }: ApproveOptions): readonly Stood[] {
  if ((offer === undefined) === (digest === undefined)) {
    throw new GateError(
      "USAGE",
      `Cannot approve without knowing what was looked at: give --offer <digest> (from countersign status ${server} --offer) or --digest <digest> of one definition`,
    );
  }
  const text = offer ?? digest ?? "";
  const given = asDigest(text);
  if (given === undefined) {
    throw new GateError(
      "USAGE",
      `Cannot approve "${visible(text)}": it is no full digest (cs1:sha256: and 64 hex digits); a prefix may name two things`,
    );
  }
  if (digest !== undefined) {
    const found = standing.definitions.filter(({ definition }) => definition.received === given);
    // Where a plan is named, it may be for what is approved already.
    if (found.length > 0) return found.filter((one) => waits(one) || asksAgain(one) || saysAnything(words));
  } else if (standing.offer === given) return standing.definitions.filter(waits);
  throw new GateError(
    "MOVED",
    `Cannot approve ${given}: it is not what ${server} offers now (that is ${standing.offer}); nothing was approved; look again with countersign review ${server}`,
  );
}

export interface Signing {
  readonly acknowledged: ReadonlySet<string>;
  readonly by: string;
  readonly reason?: string;
  readonly policy: Digest;
  /** Whether a part of what is approved was not displayed. */
  readonly unseen: boolean;
  /** Milliseconds since 1970. */
  readonly expires?: number;
  /** Whether what only some principals are offered is approved for all. */
  readonly everyone?: boolean;
}

/**
 * Records one decision, if what was displayed is still what is offered: one entry for all of it, and one more for each group of
 * principals whose variants are in it. Returns the sequence number of the last.
 */
export async function recordApproval(
  ledger: Ledger,
  standing: Standing,
  chosen: readonly Stood[],
  signing: Signing,
): Promise<number> {
  const approvals = groupsOf(standing, chosen, signing).map((group) => {
    return { ...group, approval: approvedIn(standing, group, signing) };
  });
  let { seq } = standing;
  for (const [index, { of, approval, principals }] of approvals.entries()) {
    const offeredTo = new Set(of.flatMap(({ principals = [] }) => principals));
    const result = await ledger.record(approval.event, {
      texts: approval.texts,
      expecting: [
        { is: "sighted", definitions: of.map(seen), ...(principals === undefined ? {} : { principals }) },
        // What was displayed also showed what had been decided; another person's decision in between is not overruled unseen.
        { is: "unchanged-since", seq },
        // What is offered now may be something that the ledger does not hold, so nobody can have looked at it.
        ...(principals === undefined ? [{ is: "stable" } as const] : []),
        ...[...offeredTo].map((principal) => ({ is: "stable", principal }) as const),
      ],
    });
    if (result.is === "recorded") {
      seq = result.seq;
      continue;
    }
    const before = approvals.slice(0, index).reduce((sum, group) => sum + group.of.length, 0);
    const unstable = result.is === "moved" ? result.because.find(({ is }) => is === "unstable") : undefined;
    throw unstable?.is === "unstable"
      ? changesTooOften(standing.server, unstable.until, before)
      : moved(standing.server, before);
  }
  return seq;
}

interface Group {
  /** Whose variants these are; absent where they are for all. */
  readonly principals?: readonly PrincipalId[];
  readonly of: readonly Stood[];
}

function groupsOf(standing: Standing, chosen: readonly Stood[], { everyone }: Signing): readonly Group[] {
  const groups = new Map<string, { principals?: readonly PrincipalId[]; of: Stood[] }>();
  for (const stood of chosen) {
    const principals = everyone === true ? undefined : approvalScope(standing, stood);
    const key = JSON.stringify(principals ?? null);
    const group = groups.get(key) ?? { ...(principals === undefined ? {} : { principals }), of: [] };
    groups.set(key, group);
    group.of.push(stood);
  }
  return [...groups.values()];
}

function approvedIn(standing: Standing, { of, principals }: Group, signing: Signing) {
  const { server, offer } = standing;
  const approval = approvalOf({
    ...{ server, offer, ruleset: rulesetDigest, policy: signing.policy, by: signing.by },
    ...(signing.reason === undefined ? {} : { reason: signing.reason }),
    ...(signing.unseen ? { unseen: true } : {}),
    ...(signing.expires === undefined ? {} : { expires: signing.expires }),
    ...(principals === undefined ? {} : { principals }),
    definitions: of.map(({ definition, ruling, plan }) => ({
      ...{ definition, plan },
      acknowledged: [
        ...acknowledgedBefore(standing, definition),
        ...objectionsTo(ruling).filter((rule) => signing.acknowledged.has(rule)),
      ],
    })),
  });
  if (approval.is === "unfit") throw unfit(server, approval);
  return approval;
}

function unfit(server: ServerName, { definition, misfits }: Extract<ApprovalMade, { is: "unfit" }>): GateError {
  const { kind, name } = definition.address;
  const places = misfits.map(({ code, at }) => `${code} at "${visible(at)}"`).join(", ");
  return new GateError(
    "FINDINGS",
    `Cannot approve ${kind} "${visible(name)}" of ${server} under its plan: ${places}; nothing was approved; change --set, or the config's plan for it`,
  );
}

/** What somebody acknowledged for this very digest stays acknowledged when it is approved once more. */
function acknowledgedBefore({ snapshot }: Standing, { address, received }: Stood["definition"]): readonly string[] {
  const rules = new Set<string>();
  for (const binding of allBindings(snapshot)) {
    if (binding.received !== received || addressKey(binding.address) !== addressKey(address)) continue;
    for (const { rule } of binding.acknowledged) rules.add(rule);
  }
  return [...rules];
}

function notDisplayed(server: ServerName, long: readonly Long[]): GateError {
  const few = long.slice(0, 5).map(({ what, characters, rows }) => {
    return `${what} (${counted(characters, "character")} in ${counted(rows, "row")})`;
  });
  const more = long.length > few.length ? ` and ${long.length - few.length} more` : "";
  const are = long.length === 1 ? "1 definition is" : `${long.length} definitions are`;
  return new GateError(
    "FINDINGS",
    `Cannot approve this offer of ${server}: ${are} longer than what is displayed at once: ${few.join(", ")}${more}; nothing was approved; ` +
      `look at all of it with countersign review ${server}, or add --unseen to approve what nobody has seen`,
  );
}

export function seen({ definition: { address, received } }: Stood) {
  return { kind: address.kind, name: address.name, received };
}

function changesTooOften(server: ServerName, until: number, before: number): GateError {
  return new GateError(
    "MOVED",
    `Cannot approve anything of ${server}: UNSTABLE, it changes too often to be reviewed, and the ledger takes in no more of it until ${new Date(until).toISOString()}; ${approvedBefore(before)}; stop the server from changing, and look again then with countersign review ${server}`,
  );
}

function moved(server: ServerName, before: number): GateError {
  return new GateError(
    "MOVED",
    `Cannot record the decision: ${server} or the ledger changed while you looked; ${approvedBefore(before)}; look again with countersign review ${server}`,
  );
}

function approvedBefore(count: number): string {
  return count === 0 ? "nothing was approved" : `${counted(count, "definition")} of it had been approved before that`;
}
