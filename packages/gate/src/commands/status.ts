import type { Digest } from "@countersign/core";
import { type ExitCode, exitCodes } from "../gate-error.ts";
import { type DefinitionRow, definitionRow, malformedRow } from "../print/definition-row.ts";
import { shownName, type View } from "../print/view.ts";
import { carriesOver, type Standing, standingOf, waits } from "../standing.ts";
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
  readonly definitions: readonly DefinitionRow[];
  /** Approved, but no longer offered. */
  readonly gone: readonly { readonly kind: string; readonly name: string }[];
  /** When something new was last sighted, ISO 8601. */
  readonly sighted: string;
}

export interface StatusReport {
  readonly servers: readonly ServerStatus[];
  readonly exitCode: ExitCode;
}

/** How every server of the ledger stands, or one of them. */
export async function status(options: { server?: string } & Places, view: View): Promise<StatusReport> {
  return withLedger(options, async (ledger) => {
    const servers: ServerStatus[] = [];
    if (options.server !== undefined) {
      servers.push(serverStatus(await standingFor(ledger, serverNamed(options.server), options), view));
    } else {
      for (const server of (await ledger.state()).servers.keys()) {
        const standing = await standingOf(ledger, server, (await settingsFor(server, options)).policy);
        if (standing !== undefined) servers.push(serverStatus(standing, view));
      }
    }
    const clean = servers.every(({ definitions }) => definitions.every(({ verdict }) => verdict === "bind"));
    return { servers, exitCode: clean ? exitCodes.clean : exitCodes.unapproved };
  });
}

function serverStatus(standing: Standing, view: View): ServerStatus {
  return {
    server: standing.server,
    offer: standing.offer,
    bound: standing.definitions.filter(({ ruling }) => ruling.verdict === "bind").length,
    waiting: standing.definitions.filter(waits).length,
    held: standing.definitions.filter(({ ruling }) => ruling.verdict !== "bind" && carriesOver(ruling)).length,
    definitions: [
      ...standing.definitions.map((stood) => {
        const row = definitionRow(stood, view);
        const { address, text } = stood.definition;
        return view.contents && waits(stood) ? { ...row, whole: { address, text } } : row;
      }),
      ...standing.malformed.map((malformed) => malformedRow(malformed, view)),
    ],
    gone: standing.gone.map(({ kind, name }) => ({ kind, name: shownName(name, view) })),
    sighted: new Date(standing.sighted).toISOString(),
  };
}
