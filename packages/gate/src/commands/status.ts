import type { Digest, LetThrough, ServerName, Snapshot } from "@countersign/core";
import type { ServerSettings } from "../config.ts";
import { type ExitCode, exitCodes } from "../gate-error.ts";
import { letThroughNow } from "../let-through-now.ts";
import { passesThen } from "../passes-then.ts";
import { type DefinitionRow, definitionRow, malformedRow } from "../print/definition-row.ts";
import { shownName, type View } from "../print/view.ts";
import type { Ignored } from "../project/config-files.ts";
import { ledgerPathOf } from "../project/ledger-path.ts";
import { ignoredHere } from "../project/settings-here.ts";
import { readAs } from "../read-as.ts";
import { lastVerified, type VerifiedRow } from "../running/last-verified.ts";
import { readNotes } from "../running/read-notes.ts";
import {
  asksAgain,
  carriesOver,
  isMaskedNews,
  objectionsTo,
  type Standing,
  type Stood,
  standingOf,
  waits,
} from "../standing.ts";
import { type Places, settingsFor, standingFor, withLedger } from "./open.ts";
import { serverNamed } from "./scan.ts";

export interface ServerStatus {
  readonly server: string;
  /** The digest of all that the server last offered; what `approve --offer` takes. */
  readonly offer: Digest;
  readonly bound: number;
  readonly waiting: number;
  /** Approved as they are, and held because the server is not reached as it was approved to be. */
  readonly held: number;
  /** Set where everything passes, approved or not; `definitions` say what would be withheld. */
  readonly letThrough?: LetThrough;
  readonly bypass?: BypassRow;
  /** Approved, and to be looked at again: these rules speak against it, and nobody has acknowledged them. */
  readonly rereview: readonly RereviewRow[];
  readonly definitions: readonly DefinitionRow[];
  /** Approved, but no longer offered. */
  readonly gone: readonly { readonly kind: string; readonly name: string }[];
  /** When something new was last sighted, ISO 8601. */
  readonly sighted: string;
  /** When each of its offers was last looked at, new or not, and why. Of a killed guard the last seconds are not known. */
  readonly verified: readonly VerifiedRow[];
}

export interface BypassRow {
  /** ISO 8601. */
  readonly from: string;
  readonly until: string;
  readonly by: string;
  readonly reason?: string;
}

export interface RereviewRow {
  readonly kind: string;
  readonly name: string;
  readonly received: Digest;
  readonly rules: readonly string[];
  /** Only these principals are offered it; absent where all are. */
  readonly principals?: readonly string[];
  /** Set where its server has another text now, which the model does not read. */
  readonly news?: true;
}

export interface StatusReport {
  readonly servers: readonly ServerStatus[];
  /** Configs of this folder's project that are not trusted, with what they ask for and may not. */
  readonly ignored: readonly Ignored[];
  readonly exitCode: ExitCode;
}

/** How every server of the ledger stands, or one of them. */
export async function status(options: { server?: string } & Places, view: View): Promise<StatusReport> {
  const path = await ledgerPathOf(options.ledger);
  const notes = await readNotes();
  return withLedger(options, async (ledger) => {
    const seen = (await ledger.state()).servers;
    const verified = (server: ServerName) =>
      lastVerified(notes, { server, ledger: path, sources: seen.get(server)?.sightings.keys() ?? [] });
    const servers: ServerStatus[] = [];
    if (options.server !== undefined) {
      const server = serverNamed(options.server);
      const { mode } = (await settingsFor(server, options)).settings;
      const standing = await standingFor(ledger, server, options);
      servers.push({ ...serverStatus(standing, mode, view), verified: verified(server) });
    } else {
      for (const server of seen.keys()) {
        const { settings } = await settingsFor(server, options);
        const standing = await standingOf(ledger, server, settings.policy);
        if (standing === undefined) continue;
        servers.push({ ...serverStatus(standing, settings.mode, view), verified: verified(server) });
      }
    }
    // What passes unapproved is unapproved all the same; what waits for another look is approved.
    const clean = servers.every(({ definitions }) => definitions.every(({ verdict }) => verdict === "bind"));
    return {
      servers,
      ignored: await ignoredHere(options.config),
      exitCode: clean ? exitCodes.clean : exitCodes.unapproved,
    };
  });
}

function serverStatus(standing: Standing, mode: ServerSettings["mode"], view: View): Omit<ServerStatus, "verified"> {
  const letThrough = letThroughNow(mode, standing.snapshot);
  const through = letThrough === undefined ? undefined : passesThen(standing, letThrough).through;
  const { bypass } = standing.snapshot;
  return {
    server: standing.server,
    offer: standing.offer,
    bound: standing.definitions.filter(({ ruling }) => ruling.verdict === "bind").length,
    waiting: standing.definitions.filter(waits).length,
    held: standing.definitions.filter(({ ruling }) => ruling.verdict !== "bind" && carriesOver(ruling)).length,
    ...(letThrough === undefined ? {} : { letThrough }),
    ...(bypass === undefined ? {} : { bypass: bypassRow(bypass) }),
    rereview: standing.definitions.filter(asksAgain).map((stood) => rereviewRow(stood, view)),
    definitions: [
      ...standing.definitions.map((stood) => {
        const row = definitionRow(stood, view);
        const { address, text } = readAs(stood);
        return {
          ...row,
          ...(view.contents && waits(stood) ? { whole: { address, text } } : {}),
          ...(through?.has(stood) ? { passes: true as const } : {}),
        };
      }),
      ...standing.malformed.map((malformed) => malformedRow(malformed, view)),
    ],
    gone: standing.gone.map(({ kind, name }) => ({ kind, name: shownName(name, view) })),
    sighted: new Date(standing.sighted).toISOString(),
  };
}

function bypassRow({ from, until, by, reason }: NonNullable<Snapshot["bypass"]>): BypassRow {
  return {
    from: new Date(from).toISOString(),
    until: new Date(until).toISOString(),
    by,
    ...(reason === undefined ? {} : { reason }),
  };
}

function rereviewRow(stood: Stood, view: View): RereviewRow {
  const { definition, ruling, principals } = stood;
  const { address, received } = definition;
  return {
    ...(principals === undefined ? {} : { principals }),
    ...{ kind: address.kind, name: shownName(address.name, view), received, rules: objectionsTo(ruling) },
    ...(isMaskedNews(stood) ? { news: true } : {}),
  };
}
