import { asServerName, launchStanding, type Offer, type ServerName, stdioLaunch, visible } from "@countersign/core";
import type { Policy } from "@countersign/judge";
import { type Ledger, openSqlite } from "@countersign/ledger";
import {
  type Checkpoints,
  type ClientTransport,
  type GuardedTransport,
  guardClientTransport,
  type Opened,
  reviewId,
} from "@countersign/wire";
import { type ServerSettings, settingsFrom } from "../config.ts";
import { GateError } from "../gate-error.ts";
import { guardByLedger, reachedBy } from "../guard-by-ledger.ts";
import { launchOffer, noLaunch } from "../launch/launch-offer.ts";
import { letThroughNow } from "../let-through-now.ts";
import { ledgerPathOf } from "../project/ledger-path.ts";
import { settingsHere } from "../project/settings-here.ts";
import { sight } from "../sight.ts";
import { watchLedger } from "../watch-ledger.ts";
import type { GuardEvent } from "./guard-event.ts";
import { commandOf, type Launched } from "./launched.ts";
import { warnOf } from "./warn-of.ts";

/** Under which name, by which decisions, and by which settings a transport is guarded. */
export interface GuardTransportOptions {
  /** The operator's name of the server, under which it is approved: letters, digits, `.`, `_`, `-`, at most 64. */
  readonly server: string;
  /**
   * Where decisions are: the path of a ledger, or one that is open (`openLedger`, `ledgerInMemory`), which the caller
   * closes. Otherwise COUNTERSIGN_LEDGER, otherwise the user's own.
   */
  readonly ledger?: string | Ledger | undefined;
  /** The path of a config; otherwise COUNTERSIGN_CONFIG, otherwise the user's own, if there is one. `false`: none is read. */
  readonly config?: string | false | undefined;
  /** Over what the config says. */
  readonly policy?: Partial<Policy> | undefined;
  /** Over what the config says. */
  readonly checkpoints?: Partial<Checkpoints> | undefined;
  /**
   * What the transport starts. A transport does not say it, so without this it is not pinned how the server is reached;
   * with it, nothing is started that is not reached as it was approved to be.
   */
  readonly command?: Launched | undefined;
  /** Told what happens. Without it, what the operator must know is a warning of the process (`process.on("warning")`). */
  readonly onEvent?: ((event: GuardEvent) => void) | undefined;
}

/**
 * Puts the gate between a client and the server that a transport reaches. The client is given only definitions that were
 * approved, as they were approved, and can use nothing else; everything fails closed.
 *
 * @param transport any client transport of `@modelcontextprotocol/sdk` or `@modelcontextprotocol/client`, or one shaped
 *   like it, not started; from here on only the guarded one is to be started, sent on and closed
 * @returns a transport to connect a client to. `start`, and so the client's `connect`, rejects with a `GateError` (`USAGE`,
 *   `CONFIG`, or `LAUNCH_CHANGED`: not reached as it was approved to be, so not started) or a `LedgerError`
 */
export function guardTransport(transport: ClientTransport, options: GuardTransportOptions): GuardedTransport {
  return guardClientTransport(transport, () => openFor(options));
}

async function openFor(options: GuardTransportOptions): Promise<Opened> {
  // A program without types may have left it out, and no server shall be called "undefined".
  const name: unknown = options.server;
  const server = typeof name === "string" ? asServerName(name) : undefined;
  if (server === undefined) {
    throw new GateError(
      "USAGE",
      `Cannot guard a server called "${visible(String(name))}": use letters, digits, ".", "_" and "-", at most 64, beginning with a letter or digit`,
    );
  }
  const report = reporting(server, options.onEvent);
  const settings = await settingsOf(server, options, report);
  const { ledger, close } = await ledgerOf(options.ledger);
  try {
    const launch = launchIn(server, options.command);
    const first = await reachedBy(ledger, launch);
    if (launchStanding(first) === "held" && letThroughNow(settings.mode, first) === undefined)
      await refuse(ledger, launch);
    let watch: NodeJS.Timeout | undefined;
    return {
      guard: { ...guardByLedger(ledger, launch, settings), report },
      started: (guard) => {
        const snapshot = () => reachedBy(ledger, launch);
        watch = watchLedger({ snapshot, mode: settings.mode, changed: () => guard.refresh(), report });
      },
      close: async () => {
        clearInterval(watch);
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function settingsOf(
  server: ServerName,
  { config, policy, checkpoints }: GuardTransportOptions,
  report: (event: GuardEvent) => void,
): Promise<ServerSettings> {
  const read =
    config === false
      ? { settings: settingsFrom({}), ignored: [] }
      : await settingsHere(server, config ?? process.env["COUNTERSIGN_CONFIG"]);
  for (const { path, settings } of read.ignored) report({ is: "settings-ignored", path, settings });
  const { settings } = read;
  return {
    ...settings,
    policy: { ...settings.policy, ...policy },
    checkpoints: { ...settings.checkpoints, ...checkpoints },
  };
}

async function ledgerOf(given: string | Ledger | undefined): Promise<{ ledger: Ledger; close: () => Promise<void> }> {
  if (typeof given === "object") return { ledger: given, close: async () => undefined };
  const ledger = await openSqlite(await ledgerPathOf(given ?? process.env["COUNTERSIGN_LEDGER"]));
  return { ledger, close: () => ledger.close() };
}

function launchIn(server: ServerName, launched: Launched | undefined): Offer {
  return launched === undefined ? noLaunch(server) : launchOffer(server, commandOf(launched));
}

/** Nothing of the other program runs before somebody has looked. */
async function refuse(ledger: Ledger, launch: Offer): Promise<never> {
  await sight(ledger, launch);
  const { server } = launch;
  throw new GateError(
    "LAUNCH_CHANGED",
    `Cannot start ${server}: it would not be reached as it was approved to be (review ${reviewId({ server, ...stdioLaunch })}); ` +
      `run "countersign review ${server}", then connect again`,
  );
}

/** A listener's own fault changes nothing about what passes. */
function reporting(
  server: ServerName,
  onEvent: ((event: GuardEvent) => void) | undefined,
): (event: GuardEvent) => void {
  const tell = onEvent ?? warnOf(server);
  return (event) => {
    try {
      tell(event);
    } catch (error) {
      process.emitWarning(error instanceof Error ? error : String(error));
    }
  };
}
