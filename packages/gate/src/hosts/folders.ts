import { posix, win32 } from "node:path";
import type { Surroundings } from "./host.ts";

/** Where programs of a platform keep what they keep, as functions of the parts below. */
export interface Folders {
  readonly home: Below;
  /** `$XDG_CONFIG_HOME` or `~/.config`, on every platform: programs from Unix keep to it elsewhere too. */
  readonly config: Below;
  /** Where desktop programs keep a user's data: `~/.config`, `~/Library/Application Support` or `%APPDATA%`. */
  readonly userData: Below;
  /** `%LOCALAPPDATA%`; the user's data elsewhere. */
  readonly localData: Below;
  /** Where an administrator writes for everybody: `/etc`, `/Library/Application Support` or `%ProgramData%`. */
  readonly machine: Below;
  /** `/etc`, also on macOS. */
  readonly etc: Below;
  /** `%ProgramFiles%`; undefined but on Windows. */
  readonly programFiles: Below | undefined;
  /** The folder that project files are looked for in, and each one above, nearest first. */
  readonly projects: readonly Below[];
  /** The folder that a variable names, relative to the working directory; undefined where it is not set. */
  readonly named: (variable: string) => Below | undefined;
}

/** A path below a folder; of the folder itself without an argument. */
export type Below = (...parts: readonly string[]) => string;

/** A folder below another. */
export function under(folder: Below, ...parts: readonly string[]): Below {
  return (...more) => folder(...parts, ...more);
}

/** By the platform that is asked about, never by the one that this runs on. */
export function foldersOf(surroundings: Surroundings): Folders {
  const { platform, home, cwd } = surroundings;
  const paths = platform === "win32" ? win32 : posix;
  const below =
    (folder: string): Below =>
    (...parts) =>
      paths.join(folder, ...parts);
  const named = (variable: string) => {
    const value = variableOf(surroundings, variable);
    return value === undefined ? undefined : below(paths.resolve(cwd, value));
  };
  const inHome = below(home);
  const config = named("XDG_CONFIG_HOME") ?? below(inHome(".config"));
  const support = below(inHome("Library", "Application Support"));
  const roaming = () => named("APPDATA") ?? below(inHome("AppData", "Roaming"));
  const local = () => named("LOCALAPPDATA") ?? below(inHome("AppData", "Local"));
  const programData = () => named("ProgramData") ?? below("C:\\ProgramData");
  const windows = platform === "win32";
  return {
    home: inHome,
    config,
    userData: windows ? roaming() : platform === "darwin" ? support : config,
    localData: windows ? local() : platform === "darwin" ? support : config,
    machine: windows ? programData() : below(platform === "darwin" ? "/Library/Application Support" : "/etc"),
    etc: below("/etc"),
    programFiles: windows ? (named("ProgramFiles") ?? below("C:\\Program Files")) : undefined,
    projects: [...upward(cwd, paths)].map(below),
    named,
  };
}

/** A variable of the environment, by a name that Windows does not tell from its other spellings. Empty is not set. */
export function variableOf({ platform, env }: Surroundings, name: string): string | undefined {
  const value = env.get(name) ?? (platform === "win32" ? otherSpelling(env, name) : undefined);
  return value === "" ? undefined : value;
}

function otherSpelling(env: ReadonlyMap<string, string>, name: string): string | undefined {
  for (const [key, value] of env) if (key.toLowerCase() === name.toLowerCase()) return value;
  return undefined;
}

function* upward(folder: string, paths: Pick<typeof posix, "dirname" | "resolve">): Generator<string> {
  for (let one = folder; ; one = paths.dirname(one)) {
    yield one;
    if (one === paths.dirname(one)) return;
  }
}
