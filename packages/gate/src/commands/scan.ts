import {
  asSent,
  asServerName,
  emptySnapshot,
  type Finding,
  type Offer,
  type Ruling,
  type ServerName,
  visible,
} from "@countersign/core";
import { rule } from "@countersign/judge";
import { type ExitCode, exitCodes, GateError } from "../gate-error.ts";
import { type Look, lookAt } from "../look.ts";
import { lookFailureOf } from "../look-failure.ts";
import { type DefinitionRow, definitionRow, malformedRow } from "../print/definition-row.ts";
import { type LaunchRow, launchRow } from "../print/launch-row.ts";
import { sayLookFailure } from "../print/say-look-failure.ts";
import type { View } from "../print/view.ts";
import type { Ignored } from "../project/config-files.ts";
import { settingsHere } from "../project/settings-here.ts";
import { launchOfTarget, lookedAt, type Target, targetHere } from "../remote/target.ts";

export interface ScanReport {
  readonly server: string;
  /** How the server was reached. It is pinned when it is run. */
  readonly launch: LaunchRow;
  readonly definitions: readonly DefinitionRow[];
  readonly failures: Look["failures"];
  /** What a project's config asks for, and may not. */
  readonly ignored: readonly Ignored[];
  /** Why nothing at all could be looked at. */
  readonly notLookedAt?: string;
  readonly exitCode: ExitCode;
}

/** Judges what a server offers now, with an empty ledger: a look, which approves and records nothing. */
export async function scan(
  options: { server: string; target: Target; config?: string; deadline?: number },
  view: View,
): Promise<ScanReport> {
  const server = serverNamed(options.server);
  const {
    settings: { policy },
    ignored,
  } = await settingsHere(server, options.config);
  const { target } = options;
  const [launch] = launchOfTarget(server, target).definitions;
  if (launch === undefined) throw new RangeError("a launch is one definition");
  const judge = (offer: Offer) => rule(offer, emptySnapshot, policy);
  const deadline = options.deadline ?? 60_000;
  const look = await lookAt({
    server,
    command: await targetHere(server, target, "scan"),
    rule: async (offer) => judge(offer),
    deadline,
  });
  const definitions = look.offers.flatMap((offer) => {
    const rulings = judge(offer);
    return [
      ...offer.definitions.map((definition, index) =>
        definitionRow({ definition, ruling: unapproved(rulings[index]), plan: asSent }, view),
      ),
      ...offer.malformed.map((malformed) => malformedRow(malformed, view)),
    ];
  });
  const failure = lookFailureOf(look);
  const notLookedAt =
    failure === undefined
      ? undefined
      : `Cannot scan: ${sayLookFailure(failure, lookedAt(server, target), look.lastWords, view)}`;
  return {
    server,
    launch: launchRow(launch),
    definitions,
    failures: look.failures,
    ignored,
    ...(notLookedAt === undefined ? {} : { notLookedAt }),
    exitCode: exitCodeFor(definitions, look, notLookedAt),
  };
}

export function serverNamed(text: string): ServerName {
  const server = asServerName(text);
  if (server !== undefined) return server;
  throw new GateError(
    "USAGE",
    `Cannot use the server name "${visible(text)}": use letters, digits, ".", "_" and "-", at most 64, beginning with a letter or digit`,
  );
}

/** Nothing is approved in a look, so that is no news about any definition. */
export function unapproved(ruling: Ruling | undefined): Ruling {
  if (ruling === undefined) throw new RangeError("a definition has no ruling");
  return { ...ruling, reasons: ruling.reasons.filter(({ code }) => code !== "NO_BASELINE") };
}

function exitCodeFor(rows: readonly DefinitionRow[], look: Look, notLookedAt: string | undefined): ExitCode {
  if (notLookedAt !== undefined || look.failures.length > 0) return exitCodes.incomplete;
  return rows.some(isFound) ? exitCodes.findings : exitCodes.clean;
}

/** Whether anything speaks against a definition that nobody has approved yet. A note does not. */
export function isFound({ reasons }: DefinitionRow): boolean {
  const speaks = (effect: Finding["effect"]) => effect !== "note";
  return reasons.some((reason) => ("effect" in reason ? speaks(reason.effect) : true));
}
