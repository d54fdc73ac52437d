import type { ServerName } from "@countersign/core";
import { type Ledger, openSqlite } from "@countersign/ledger";
import { GateError } from "../gate-error.ts";
import type { SettingsHere } from "../project/config-files.ts";
import { ledgerPathOf } from "../project/ledger-path.ts";
import { settingsHere } from "../project/settings-here.ts";
import { type Standing, standingOf } from "../standing.ts";

export interface Places {
  readonly ledger?: string;
  readonly config?: string;
}

/** Opens the ledger for as long as `use` takes. */
export async function withLedger<T>(places: Places, use: (ledger: Ledger) => Promise<T>): Promise<T> {
  const ledger = await openSqlite(await ledgerPathOf(places.ledger));
  try {
    return await use(ledger);
  } finally {
    await ledger.close();
  }
}

export function settingsFor(server: ServerName, { config }: Places): Promise<SettingsHere> {
  return settingsHere(server, config);
}

/** What a server last offered; an error where it was never seen. */
export async function standingFor(ledger: Ledger, server: ServerName, places: Places): Promise<Standing> {
  const { settings } = await settingsFor(server, places);
  const standing = await standingOf(ledger, server, settings.policy);
  if (standing !== undefined) return standing;
  const known = [...(await ledger.state()).servers.keys()];
  const names = known.length === 0 ? "it knows no server yet" : `it knows ${known.join(", ")}`;
  throw new GateError(
    "NO_SERVER",
    `Cannot find the server "${server}" in the ledger: ${names}; run it once with countersign run ${server} -- <command...>`,
  );
}
