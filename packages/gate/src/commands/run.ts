import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import {
  asServerName,
  decodeUtf8,
  launchStanding,
  type Offer,
  type ServerName,
  stdioLaunch,
  visible,
} from "@countersign/core";
import { type Ledger, openSqlite } from "@countersign/ledger";
import { type Command, type Ending, guardStdio, refuseHost, reviewId, type WireEvent } from "@countersign/wire";
import { coalesced } from "../coalesced.ts";
import { exitCodes, GateError } from "../gate-error.ts";
import { guardByLedger, reachedBy } from "../guard-by-ledger.ts";
import { launchOffer } from "../launch/launch-offer.ts";
import { letThroughNow } from "../let-through-now.ts";
import { sayEvent } from "../print/say-event.ts";
import { sayIgnored } from "../print/say-ignored.ts";
import { sayLedgerEvent } from "../print/say-ledger-event.ts";
import { ledgerPathOf } from "../project/ledger-path.ts";
import { settingsHere } from "../project/settings-here.ts";
import { RunNotes } from "../running/keep-notes.ts";
import { sight } from "../sight.ts";
import { watchLedger } from "../watch-ledger.ts";

export interface RunOptions {
  readonly server: string;
  readonly command: Command;
  readonly ledger?: string;
  readonly config?: string;
  /** `none`: hosts start it in whatever folder they are in, so that is no part of how it is reached. */
  readonly workspace?: "none";
  readonly host: { readonly input: Readable; readonly output: Writable };
  /** One line for the operator: the log of the host, or a terminal. */
  readonly say: (line: string) => void;
  readonly onSignal: (listener: (signal: NodeJS.Signals) => void) => void;
}

/** Stands between a host and one stdio server until one of them ends. Returns the exit code to end with. */
export async function run(options: RunOptions): Promise<number> {
  const server = asServerName(options.server);
  if (server === undefined) {
    throw new GateError(
      "USAGE",
      `Cannot run a server called "${visible(options.server)}": use letters, digits, ".", "_" and "-", at most 64, beginning with a letter or digit`,
    );
  }
  const { settings, ignored } = await settingsHere(server, options.config);
  const path = await ledgerPathOf(options.ledger);
  const ledger = await openSqlite(path);
  try {
    const say = (text: string) => options.say(`countersign: ${server}: ${text}`);
    for (const one of ignored) say(sayIgnored(one));
    let lastWords = "";
    let answered = false;
    const report = (event: WireEvent) => {
      if (event.is === "answered") answered = true;
      const sentence = sayEvent(event);
      if (sentence !== undefined) say(sentence);
    };
    const { workspace } = options;
    const launch = launchOffer(server, options.command, workspace === undefined ? {} : { workspace });
    const snapshot = () => reachedBy(ledger, launch);
    const first = await snapshot();
    const through = letThroughNow(settings.mode, first);
    const held = launchStanding(first) === "held";
    const notes = new RunNotes({
      ...{ server, ledger: path, held: held && through === undefined, seq: () => ledger.seq() },
      failed: once((error) => say(`cannot keep a note for countersign doctor: ${visible(String(error))}`)),
    });
    notes.verified("launch", "session");
    if (held && through === undefined) {
      const code = await hold(ledger, launch, options, say);
      await notes.end(undefined, { answered: false, hostLeft: true });
      return code;
    }
    if (held) say(`started in spite of LAUNCH_CHANGED: it is not reached as it was approved to be (${through})`);
    if (through === "OBSERVED") say(observed(server));
    const others = coalesced(report);
    let signalled = false;
    const { guard, ended, signal } = guardStdio({
      ...guardByLedger(ledger, launch, settings),
      command: options.command,
      host: options.host,
      report: (event) => {
        if (event.is === "listed") notes.listed(event.source);
        else if (event.is === "verified") notes.verified(event.source, event.by);
        else others(event);
      },
      stderrLine: (bytes) => {
        // Server-controlled: bytes that are no UTF-8 are shown as such, controls by their names.
        const line = decodeUtf8(bytes) ?? bytes.toString("latin1");
        notes.stderr(line);
        lastWords = visible(line);
        options.say(`[${server}] ${lastWords}`);
      },
      grace: 2_000,
    });
    options.onSignal((one) => {
      signalled = true;
      signal(one);
    });
    const watch = watchLedger({
      ...{ snapshot, mode: settings.mode },
      changed: () => guard.refresh(),
      report: (event) => say(sayLedgerEvent(event)),
    });
    const ending = await ended;
    clearInterval(watch);
    if (ending.is !== "exited" || ending.code !== 0 || !answered)
      say(sayEnding(ending, options.command, answered, lastWords));
    await notes.end(ending, { answered, hostLeft: signalled || options.host.input.readableEnded });
    return exitCodeFor(ending);
  } finally {
    await ledger.close();
  }
}

function observed(server: ServerName): string {
  return `OBSERVED: the config's mode is "observe", so everything of this server passes, approved or not; "countersign status ${server}" shows what would be withheld`;
}

/**
 * The server has approvals, and is not reached as they say: it is not started, so nothing of the other program runs before
 * somebody has looked. The host is told so, and has to connect again afterwards: a handshake cannot be taken back.
 */
async function hold(
  ledger: Ledger,
  launch: Offer,
  { host, onSignal }: RunOptions,
  say: (text: string) => void,
): Promise<number> {
  await sight(ledger, launch);
  const review = reviewId({ server: launch.server, ...stdioLaunch });
  say(
    `not started: LAUNCH_CHANGED, it would not be reached as it was approved to be (review ${review}); ` +
      `run "countersign review ${launch.server}", then reconnect the host`,
  );
  onSignal(() => host.input.destroy());
  await refuseHost({ host, reason: "LAUNCH_CHANGED", review });
  return exitCodes.unapproved;
}

function once(say: (error: unknown) => void): (error: unknown) => void {
  let said = false;
  return (error) => {
    if (!said) say(error);
    said = true;
  };
}

function sayEnding(ending: Ending, { command }: Command, answered: boolean, lastWords: string): string {
  const said = lastWords === "" ? "it wrote nothing to stderr" : `its last line on stderr: ${lastWords.slice(0, 300)}`;
  const when = answered ? "" : " before it answered anything";
  switch (ending.is) {
    case "not-started":
      return ending.code === "ENOENT"
        ? `cannot start the server: the command "${visible(command)}" was not found; check the command after -- and the PATH of the host`
        : `cannot start the server: the command "${visible(command)}" failed with ${ending.code}; check that it is a program that you may run`;
    case "exited":
      return `the server exited with code ${ending.code}${when}; ${said}`;
    case "killed":
      return `the server was ended by ${ending.signal}${when}; ${said}`;
  }
}

/** As env(1) and the shells have it: the server's own code, 128 and the signal's number, 127 not found, 126 not runnable. */
function exitCodeFor(ending: Ending): number {
  switch (ending.is) {
    case "exited":
      return ending.code;
    case "killed":
      return 128 + constants.signals[ending.signal];
    case "not-started":
      return ending.code === "ENOENT" ? 127 : 126;
  }
}
