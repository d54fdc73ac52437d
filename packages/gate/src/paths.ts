import { homedir } from "node:os";
import { posix, win32 } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** Whose folders are meant; by default those of whoever runs this. */
export interface Whose {
  readonly env?: Environment;
  readonly platform?: NodeJS.Platform;
  readonly home?: string;
}

/**
 * Where what Countersign keeps is: XDG Base Directory, on macOS too, as command-line programs do there; on Windows
 * LOCALAPPDATA, which does not roam to other machines.
 */
export function stateFolder(whose: Whose = {}): string {
  return folder("XDG_STATE_HOME", "LOCALAPPDATA", [".local", "state"], ["AppData", "Local"], whose);
}

/** Where the ledger is unless `--ledger` says otherwise. */
export function defaultLedgerPath(whose: Whose = {}): string {
  return pathOf(whose).join(stateFolder(whose), "ledger.db");
}

/** Where the user's config is unless `--config` says otherwise. A project's folder is not among the places. */
export function defaultConfigPath(whose: Whose = {}): string {
  const config = folder("XDG_CONFIG_HOME", "APPDATA", [".config"], ["AppData", "Roaming"], whose);
  return pathOf(whose).join(config, "countersign.jsonc");
}

function folder(
  xdg: string,
  windows: string,
  below: readonly string[],
  belowOnWindows: readonly string[],
  whose: Whose,
): string {
  const { env = process.env, platform = process.platform, home = homedir() } = whose;
  const path = pathOf(whose);
  const named = platform === "win32" ? [env[xdg], env[windows]] : [env[xdg]];
  // A relative one counts for nothing, as the specification has it: it would lie in whatever folder a host starts us in.
  const base = named.find((one) => one !== undefined && path.isAbsolute(one));
  return path.join(base ?? path.join(home, ...(platform === "win32" ? belowOnWindows : below)), "countersign");
}

function pathOf({ platform = process.platform }: Whose) {
  return platform === "win32" ? win32 : posix;
}
