import type { Readable, Writable } from "node:stream";
import { asServerName, launchStanding, type Offer, type ServerName, visible } from "@countersign/core";
import { type Ledger, openSqlite } from "@countersign/ledger";
import { type Ending, type GuardOptions, refuseHost, reviewId, type WireEvent } from "@countersign/wire";
import { coalesced } from "../coalesced.ts";
import { exitCodes, GateError } from "../gate-error.ts";
import { guardByLedger, reachedBy } from "../guard-by-ledger.ts";
import { letThroughNow } from "../let-through-now.ts";
import { sayEvent } from "../print/say-event.ts";
import { sayIgnored } from "../print/say-ignored.ts";
import { sayLedgerEvent } from "../print/say-ledger-event.ts";
import { ledgerPathOf } from "../project/ledger-path.ts";
import { settingsHere } from "../project/settings-here.ts";
import { RunNotes } from "../running/keep-notes.ts";
import { sight } from "../sight.ts";
import { watchLedger } from "../watch-ledger.ts";

export interface GuardedRunOptions {
  readonly server: string;
  readonly ledger?: string;
  readonly config?: string;
  readonly host: { readonly input: Readable; readonly output: Writable };
  /** One line for the operator: the log of the host, or a terminal. */
  readonly say: (line: string) => void;
  readonly onSignal: (listener: (signal: NodeJS.Signals) => void) => void;
}

/** How a server is reached. */
export interface Way {
  readonly launch: (server: ServerName) => Offer;
  readonly start: (beside: Beside) => Started | Promise<Started>;
}

/** What stands beside the server while it runs. */
export interface Beside {
  readonly server: ServerName;
  readonly guard: Omit<GuardOptions, "toHost" | "toServer">;
  readonly notes: RunNotes;
  /** A sentence about this server. */
  readonly say: (text: string) => void;
}

export interface Started {
  readonly guard: { refresh(): Promise<void> };
  readonly ended: Promise<Ended>;
  readonly signal: (signal: NodeJS.Signals) => void;
}

export interface Ended {
  readonly code: number;
  /** How its process ended, where it has one of ours. */
  readonly ending?: Ending;
  /** What to say of it. */
  readonly sentence?: (answered: boolean) => string | undefined;
}

/** Stands between a host and one server until one of them ends. Returns the exit code to end with. */
export async function runGuarded(options: GuardedRunOptions, way: Way): Promise<number> {
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
    let answered = false;
    const report = (event: WireEvent) => {
      if (event.is === "answered") answered = true;
      const sentence = sayEvent(event);
      if (sentence !== undefined) say(sentence);
    };
    const launch = way.launch(server);
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
    const { guard, ended, signal } = await way.start({
      server,
      guard: {
        ...guardByLedger(ledger, launch, settings),
        report: (event) => {
          if (event.is === "listed") notes.listed(event.source);
          else if (event.is === "verified") notes.verified(event.source, event.by);
          else others(event);
        },
      },
      ...{ notes, say },
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
    const { code, ending, sentence } = await ended;
    clearInterval(watch);
    const text = sentence?.(answered);
    if (text !== undefined) say(text);
    await notes.end(ending, { answered, hostLeft: signalled || options.host.input.readableEnded });
    return code;
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
  { host, onSignal }: GuardedRunOptions,
  say: (text: string) => void,
): Promise<number> {
  await sight(ledger, launch);
  const [definition] = launch.definitions;
  if (definition === undefined) throw new Error("what has no launch is never held");
  const review = reviewId(definition.address);
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
