import type { ServerName } from "@countersign/core";
import { type Ledger, openSqlite } from "@countersign/ledger";
import { type ServerSettings, settingsOf } from "../config.ts";
import { GateError } from "../gate-error.ts";
import { defaultConfigPath, defaultLedgerPath } from "../paths.ts";
import { type Standing, standingOf } from "../standing.ts";

export interface Places {
  readonly ledger?: string;
  readonly config?: string;
}

/** Opens the ledger for as long as `use` takes. */
export async function withLedger<T>(places: Places, use: (ledger: Ledger) => Promise<T>): Promise<T> {
  const ledger = await openSqlite(places.ledger ?? defaultLedgerPath());
  try {
    return await use(ledger);
  } finally {
    await ledger.close();
  }
}

export function settingsFor(server: ServerName, { config }: Places): Promise<ServerSettings> {
  return settingsOf(server, config ?? defaultConfigPath(), config !== undefined);
}

/** What a server last offered; an error where it was never seen. */
export async function standingFor(ledger: Ledger, server: ServerName, places: Places): Promise<Standing> {
  const { policy } = await settingsFor(server, places);
  const standing = await standingOf(ledger, server, policy);
  if (standing !== undefined) return standing;
  const known = [...(await ledger.state()).servers.keys()];
  const names = known.length === 0 ? "it knows no server yet" : `it knows ${known.join(", ")}`;
  throw new GateError(
    "NO_SERVER",
    `Cannot find the server "${server}" in the ledger: ${names}; run it once with countersign run ${server} -- <command...>`,
  );
}
