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
import type { Command } from "@countersign/wire";
import { type ExitCode, exitCodes, GateError } from "../gate-error.ts";
import { launchOffer } from "../launch/launch-offer.ts";
import { type Look, lookAt } from "../look.ts";
import { type DefinitionRow, definitionRow, malformedRow } from "../print/definition-row.ts";
import { type LaunchRow, launchRow } from "../print/launch-row.ts";
import type { View } from "../print/view.ts";
import type { Ignored } from "../project/config-files.ts";
import { settingsHere } from "../project/settings-here.ts";

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
  options: { server: string; command: Command; config?: string; deadline?: number },
  view: View,
): Promise<ScanReport> {
  const server = serverNamed(options.server);
  const {
    settings: { policy },
    ignored,
  } = await settingsHere(server, options.config);
  const [launch] = launchOffer(server, options.command).definitions;
  if (launch === undefined) throw new RangeError("a launch is one definition");
  const judge = (offer: Offer) => rule(offer, emptySnapshot, policy);
  const deadline = options.deadline ?? 60_000;
  const look = await lookAt({ server, command: options.command, rule: async (offer) => judge(offer), deadline });
  const definitions = look.offers.flatMap((offer) => {
    const rulings = judge(offer);
    return [
      ...offer.definitions.map((definition, index) =>
        definitionRow({ definition, ruling: unapproved(rulings[index]), plan: asSent }, view),
      ),
      ...offer.malformed.map((malformed) => malformedRow(malformed, view)),
    ];
  });
  const notLookedAt = whyNot(look, options.command, view);
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
function unapproved(ruling: Ruling | undefined): Ruling {
  if (ruling === undefined) throw new RangeError("a definition has no ruling");
  return { ...ruling, reasons: ruling.reasons.filter(({ code }) => code !== "NO_BASELINE") };
}

function whyNot({ ended, failures, lastWords, offers }: Look, { command }: Command, view: View): string | undefined {
  const said = saidLast(lastWords, view);
  if (ended?.is === "not-started") {
    return `Cannot scan: the command "${visible(command)}" could not be started (${ended.code}); check it and your PATH`;
  }
  if (ended?.is === "exited")
    return `Cannot scan: the server exited with code ${ended.code} before it had answered; ${said}`;
  if (ended?.is === "killed")
    return `Cannot scan: the server was ended by ${ended.signal} before it had answered; ${said}`;
  if (failures.some(({ source, code }) => source === "initialize" && code === "NO_ANSWER")) {
    return `Cannot scan: the server did not answer in time; ${said}`;
  }
  if (offers.length === 0) return `Cannot scan: the server answered neither initialize nor server/discover; ${said}`;
  return undefined;
}

/** The server wrote it, like all the rest. */
export function saidLast(lastWords: string, { text }: View): string {
  if (lastWords === "") return "it wrote nothing to stderr";
  return text ? `its last line on stderr: ${lastWords.slice(0, 300)}` : "--text shows its last line on stderr";
}

function exitCodeFor(rows: readonly DefinitionRow[], look: Look, notLookedAt: string | undefined): ExitCode {
  if (notLookedAt !== undefined || look.failures.length > 0) return exitCodes.incomplete;
  const speaks = (effect: Finding["effect"]) => effect !== "note";
  const found = rows.some(({ reasons }) =>
    reasons.some((reason) => ("effect" in reason ? speaks(reason.effect) : true)),
  );
  return found ? exitCodes.findings : exitCodes.clean;
}
