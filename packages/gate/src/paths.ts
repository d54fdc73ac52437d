import { homedir } from "node:os";
import { join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where what Countersign keeps is: XDG Base Directory, or LOCALAPPDATA. */
export function stateFolder(env: Environment = process.env): string {
  const state = env["XDG_STATE_HOME"] || env["LOCALAPPDATA"] || join(homedir(), ".local", "state");
  return join(state, "countersign");
}

/** Where the ledger is unless `--ledger` says otherwise. */
export function defaultLedgerPath(env: Environment = process.env): string {
  return join(stateFolder(env), "ledger.db");
}

/** Where the user's config is unless `--config` says otherwise. A project's folder is not among the places. */
export function defaultConfigPath(env: Environment = process.env): string {
  const config = env["XDG_CONFIG_HOME"] || env["APPDATA"] || join(homedir(), ".config");
  return join(config, "countersign", "countersign.jsonc");
}
