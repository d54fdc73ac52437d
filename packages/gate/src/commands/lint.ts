import {
  asSent,
  emptySnapshot,
  type Kind,
  type Offer,
  type RawDefinition,
  type ServerName,
  visible,
} from "@countersign/core";
import { rule } from "@countersign/judge";
import { type ExitCode, exitCodes, GateError } from "../gate-error.ts";
import { type LimitMet, limitsMet } from "../lint/limits-met.ts";
import { type ProviderLimit, providerLimits, type Taker } from "../lint/provider-limits.ts";
import { classesOf, type ReleaseChanges, releaseChanges } from "../lint/release-changes.ts";
import { costOf } from "../lint/token-cost.ts";
import { commandOf } from "../lint/words-of.ts";
import { type Look, lookAt } from "../look.ts";
import { lookFailureOf } from "../look-failure.ts";
import { type DefinitionRow, definitionRow, malformedRow } from "../print/definition-row.ts";
import { remedyOf } from "../print/rule-page.ts";
import { type LookedAt, sayLookFailure } from "../print/say-look-failure.ts";
import { shownName, type View } from "../print/view.ts";
import type { Ignored } from "../project/config-files.ts";
import { settingsHere } from "../project/settings-here.ts";
import { readRemoteReach } from "../remote/read-remote-reach.ts";
import { lookedAt, type Target, targetHere } from "../remote/target.ts";
import { serverNamed, unapproved } from "./scan.ts";

export interface LintReport {
  readonly server: string;
  readonly definitions: readonly DefinitionRow[];
  /** What the author can do about each rule that found something. */
  readonly remedies: readonly { readonly rule: string; readonly remedy: string }[];
  readonly limits: readonly LimitRow[];
  readonly cost: CostReport;
  /** What the users of the release will be asked about; absent where none was named. */
  readonly release?: ReleaseReport;
  readonly failures: Look["failures"];
  readonly ignored: readonly Ignored[];
  /** Why nothing at all could be looked at, here or of the release. */
  readonly notLookedAt?: string;
  readonly exitCode: ExitCode;
}

export interface LimitRow extends Omit<LimitMet, "limited"> {
  readonly is: ProviderLimit["limited"]["is"];
  readonly limit: string;
}

export interface CostReport {
  /** Tokens, estimated: docs/lint.md says how far that is off. */
  readonly total: number;
  readonly prose: number;
  readonly contract: number;
  /** The most expensive first. */
  readonly definitions: readonly CostRow[];
}

export interface CostRow {
  readonly kind: Kind;
  readonly name: string;
  readonly total: number;
  readonly prose: number;
  readonly contract: number;
}

export interface ReleaseReport {
  /** What was started for it. */
  readonly against: string;
  /** Definitions that are withheld from users of the release until somebody has reviewed them. */
  readonly withheld: number;
  readonly changed: readonly DefinitionRow[];
  readonly added: readonly { readonly kind: Kind; readonly name: string }[];
  readonly removed: readonly { readonly kind: Kind; readonly name: string }[];
  readonly classes: ReturnType<typeof classesOf>;
  /** In other bytes, with the same values: nobody is asked. */
  readonly respelled: number;
  readonly same: number;
  readonly failures: Look["failures"];
}

export interface LintOptions {
  /** What users will call the server; hosts put it before the names of its tools. */
  readonly server: string;
  readonly target: Target;
  readonly against?: string;
  /** All of them where none is named. */
  readonly takers?: readonly Taker[];
  readonly config?: string;
  readonly deadline?: number;
}

/** For a server's author: what the gates, the providers and the users' reviewers will make of what the server offers now. */
export async function lint(options: LintOptions, view: View): Promise<LintReport> {
  const server = serverNamed(options.server);
  const released = options.against === undefined ? undefined : releaseNamed(options.against);
  const { settings, ignored } = await settingsHere(server, options.config);
  const judge = (offer: Offer) => rule(offer, emptySnapshot, settings.policy);
  const deadline = options.deadline ?? 60_000;
  const look = async (target: Target) => {
    const command = await targetHere(server, target, "lint");
    return lookAt({ server, command, rule: async (offer) => judge(offer), deadline });
  };
  const now = await look(options.target);
  const definitions = now.offers.flatMap((offer) => rowsOf(offer, judge(offer), view));
  const before = released === undefined ? undefined : await look(released);
  const notLookedAt =
    whyNot(now, lookedAt(server, options.target), view, "lint") ??
    (before === undefined || released === undefined
      ? undefined
      : whyNot(
          before,
          lookedAt(server, released),
          view,
          `lint against ${JSON.stringify(visible(options.against ?? ""))}`,
        ));
  const limits = limitsOf(now.offers, server, options.takers, view);
  const report = {
    ...{ server, definitions, ignored, limits, failures: now.failures },
    remedies: await remediesFor(definitions),
    cost: costReport(now.offers, view),
    ...(before === undefined || notLookedAt !== undefined
      ? {}
      : { release: releaseReport(options.against ?? "", before, now, view) }),
    ...(notLookedAt === undefined ? {} : { notLookedAt }),
  };
  return { ...report, exitCode: exitCodeFor(report) };
}

function whyNot(look: Look, what: LookedAt, view: View, doing: string): string | undefined {
  const failure = lookFailureOf(look);
  return failure === undefined ? undefined : `Cannot ${doing}: ${sayLookFailure(failure, what, look.lastWords, view)}`;
}

function releaseNamed(against: string): Target {
  if (/^https?:\/\//i.test(against))
    return { is: "http", ...readRemoteReach({ doing: "lint", url: against, headers: [], transport: undefined }) };
  const command = commandOf(against);
  if (command !== undefined) return { is: "stdio", command };
  throw new GateError(
    "USAGE",
    `Cannot lint against "${visible(against)}": it is no command line; give one as you would start the release, as in: --against "npx -y my-server@latest"`,
  );
}

function rowsOf(offer: Offer, rulings: ReturnType<typeof rule>, view: View): readonly DefinitionRow[] {
  return [
    ...offer.definitions.map((definition, index) =>
      definitionRow({ definition, ruling: unapproved(rulings[index]), plan: asSent }, view),
    ),
    ...offer.malformed.map((malformed) => malformedRow(malformed, view)),
  ];
}

async function remediesFor(definitions: readonly DefinitionRow[]): Promise<LintReport["remedies"]> {
  const rules = new Set(
    definitions.flatMap(({ reasons }) => reasons.flatMap((reason) => ("rule" in reason ? [reason.rule] : []))),
  );
  return Promise.all([...rules].map(async (one) => ({ rule: one, remedy: await remedyOf(one) })));
}

function limitsOf(
  offers: readonly Offer[],
  server: ServerName,
  takers: readonly Taker[] | undefined,
  view: View,
): readonly LimitRow[] {
  const tools = offers.flatMap(({ definitions }) => definitions).filter(({ address }) => address.kind === "tool");
  const asked = providerLimits.filter(({ taker }) => takers === undefined || takers.includes(taker));
  return limitsMet(tools, asked, server)
    .map(({ limited, tool, at, ...met }) => ({
      ...met,
      is: limited.is,
      limit: limitWords(limited),
      ...(tool === undefined ? {} : { tool: shownName(tool, view) }),
      at: (at === "" ? at : shownName(at, view)) as typeof at,
    }))
    .sort((a, b) => Number(a.effect === "drops") - Number(b.effect === "drops"));
}

function limitWords(limited: ProviderLimit["limited"]): string {
  switch (limited.is) {
    case "tool-name":
      return `a tool's name is of ${limited.says}`;
    case "property-name":
      return `an argument's name is of ${limited.says}`;
    case "joined-name":
      return `with the server's name before it (${limited.before}<server>${limited.between}<tool>), at most ${limited.longest} characters`;
    case "tools":
      return `at most ${limited.most} tools, of all servers together`;
    case "root-keywords":
      return "none of these at the root of the input schema";
    case "keywords":
      return "not in its schemas";
    case "array-without-items":
      return "an array says what its items are";
    case "formats":
      return `no format of a text but ${limited.known.join(" and ")}`;
    case "type-list":
      return "one type, not a list of them";
    case "empty-description":
      return "a description is absent or says something";
  }
}

function costReport(offers: readonly Offer[], view: View): CostReport {
  const definitions = offers
    .flatMap((offer) => offer.definitions.map(costOf))
    .map(({ name, ...cost }) => ({ ...cost, name: shownName(name, view) }))
    .sort((a, b) => b.total - a.total);
  const sum = (key: "total" | "prose" | "contract") => definitions.reduce((all, one) => all + one[key], 0);
  return { total: sum("total"), prose: sum("prose"), contract: sum("contract"), definitions };
}

function releaseReport(against: string, before: Look, now: Look, view: View): ReleaseReport {
  const changes = releaseChanges(before.offers, now.offers);
  const named = ({ address: { kind, name } }: RawDefinition) => ({ kind, name: shownName(name, view) });
  return {
    ...{ against, respelled: changes.respelled, same: changes.same, failures: before.failures },
    withheld: [...changes.added, ...changes.changed.map(({ definition }) => definition)].filter(isWithheld).length,
    changed: changes.changed.map((change) => changedRow(change, view)),
    added: changes.added.map(named),
    removed: changes.removed.map(named),
    classes: classesOf(changes),
  };
}

/** What a server says of itself holds back nothing else, and the approved answer is given in its place. */
function isWithheld({ address }: RawDefinition): boolean {
  return address.kind !== "server";
}

/** As the users' reviewers are shown it. */
function changedRow({ definition, drift }: ReleaseChanges["changed"][number], view: View): DefinitionRow {
  const { address, received } = definition;
  const reasons = [{ gate: "baseline", code: "DESCRIPTION_MUTATION", drift }] as const;
  return definitionRow(
    { definition, ruling: { address, received, verdict: "quarantine", reasons }, plan: asSent },
    view,
  );
}

function exitCodeFor(report: Omit<LintReport, "exitCode">): ExitCode {
  const { notLookedAt, failures, release, definitions, limits } = report;
  if (notLookedAt !== undefined || failures.length > 0 || (release?.failures.length ?? 0) > 0)
    return exitCodes.incomplete;
  const speaks = definitions.some(({ reasons }) =>
    reasons.some((reason) => ("effect" in reason ? reason.effect !== "note" : true)),
  );
  return speaks || limits.some(({ effect }) => effect === "rejects") ? exitCodes.findings : exitCodes.clean;
}
