import { win32 } from "node:path";
import { variableOf, windowsPrograms } from "@countersign/wire";
import { namesFolder, steers } from "./environment.ts";
import { floatingOf, innermost, packagesOf, programOf, runsProject } from "./floating.ts";
import { replaceWindowsFolder, windowsPath } from "./windows-path.ts";
import { namesSecret, secret, withoutSecrets } from "./without-secrets.ts";

/** What a file holds: docs/format.md §5. */
export type Content =
  | { readonly digest: string }
  /** Of a large file: its size, and the digest of its beginning and its end. */
  | { readonly size: number; readonly ends: string };

export interface Found {
  /** The path behind all links. */
  readonly path: string;
  /** Absent for a folder. */
  readonly content?: Content;
  readonly executable: boolean;
  /** What `#!` names, with its arguments. */
  readonly interpreter?: string;
}

/** What decides which program a command line starts. */
export interface LaunchFacts {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** `none`: the folder is just where somebody happens to be, so paths below it are named like any other. */
  readonly workspace?: "none";
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** Looks at what is at an absolute path; undefined where there is nothing. */
  readonly lookUp: (path: string) => Found | undefined;
}

/**
 * How a server is reached, as JSON text: docs/format.md §5. Equal facts give equal texts; so do another home, another
 * workspace and another token.
 */
export function launchOf(given: LaunchFacts): string {
  const facts = onPlatform(given);
  const { command, args, env } = facts;
  const inner = { ...facts, ...innermost(command, args) };
  const shown = (text: string) => withoutSecrets(withoutPlaces(text, facts));
  const file = ({ path, content }: Found) => ({ path: shown(isWindows(facts) ? windowsPath(path) : path), ...content });
  const executable = findProgram(command, facts);
  const interpreter =
    executable?.interpreter === undefined || isWindows(facts)
      ? undefined
      : interpreterOf(executable.interpreter, facts);
  const wrapped = inner.command === command ? undefined : findProgram(inner.command, facts);
  const script = scriptOf(inner);
  const floating = floatingOf(inner.command, inner.args);
  const steering = Object.entries(env)
    .filter(([name]) => steers(name))
    .concat(isWindows(facts) && runsInCmd(executable) ? [["COMSPEC", variableOf(env, "COMSPEC")]] : [])
    .filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== "")
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => [name, namesSecret(name) ? secret : shown(value)]);
  return JSON.stringify({
    command: shown(command.split(/[/\\]/).at(-1) ?? command),
    args: shownArgs(args, shown),
    executable: executable === undefined ? null : file(executable),
    ...(interpreter === undefined ? {} : { interpreter: file(interpreter) }),
    ...(wrapped === undefined ? {} : { wrapped: file(wrapped) }),
    ...(script === undefined ? {} : { script: file(script) }),
    cwd: dependsOnFolder(inner, script) ? withoutSecrets(withoutHome(facts.cwd, facts)) : workspace,
    environment: Object.fromEntries(steering),
    ...(floating.length === 0 ? {} : { floating }),
  });
}

/**
 * On Windows one path and one variable have many spellings. They are made one here, so that a launch changes only where
 * another file or another variable is meant.
 */
function onPlatform(facts: LaunchFacts): LaunchFacts {
  if (!isWindows(facts)) return facts;
  const env = Object.fromEntries(Object.entries(facts.env).map(([name, value]) => [name.toUpperCase(), value]));
  return {
    ...facts,
    env,
    args: facts.args.map(windowsPath),
    cwd: windowsPath(facts.cwd),
    home: windowsPath(facts.home),
  };
}

function isWindows({ platform }: LaunchFacts): boolean {
  return platform === "win32";
}

/** Batch files are run by whatever program a variable names. */
function runsInCmd(executable: Found | undefined): boolean {
  return executable !== undefined && /\.(?:cmd|bat)$/i.test(executable.path);
}

const workspace = "$" + "{CWD}";
const homeFolder = "$" + "{HOME}";

/** Paths below the workspace and the home folder are the same on every machine. */
function withoutPlaces(text: string, facts: LaunchFacts): string {
  const { cwd, home } = facts;
  if (facts.workspace !== undefined) return withoutHome(text, facts);
  // A workspace that is the home folder, or holds it, is no workspace.
  if (isWindows(facts)) {
    const around = win32.relative(cwd, home);
    const holdsHome = !around.startsWith("..") && !win32.isAbsolute(around);
    return withoutHome(holdsHome ? text : replaceWindowsFolder(text, cwd, workspace), facts);
  }
  const holdsHome = home === cwd || home.startsWith(cwd.endsWith("/") ? cwd : `${cwd}/`);
  return withoutHome(holdsHome || cwd.length < 2 ? text : replaceFolder(text, cwd, workspace), facts);
}

function withoutHome(text: string, facts: LaunchFacts): string {
  const { home } = facts;
  if (isWindows(facts)) return replaceWindowsFolder(text, home, homeFolder);
  return home.length < 2 ? text : replaceFolder(text, home, homeFolder);
}

/** Where `folder` stands in `text` as a whole path or as the beginning of one. */
function replaceFolder(text: string, folder: string, by: string): string {
  const clean = folder.replace(/[/\\]+$/, "");
  const parts = text.split(clean);
  let result = parts[0] ?? "";
  for (const [index, part] of parts.slice(1).entries()) {
    const before = (parts[index] ?? "").at(-1) ?? result.at(-1);
    const whole = (before === undefined || !/[A-Za-z0-9_.~/-]/.test(before)) && /^(?:$|[^A-Za-z0-9_.~-])/.test(part);
    result += (whole ? by : clean) + part;
  }
  return result;
}

/** A command line that is not looked up: its secrets are left out, nothing that it names is read. */
export function wordsWithoutSecrets(command: string, args: readonly string[]): readonly string[] {
  return [withoutSecrets(command), ...shownArgs(args, withoutSecrets)];
}

function shownArgs(args: readonly string[], shown: (text: string) => string): readonly string[] {
  return args.map((arg, index) => {
    const before = args[index - 1] ?? "";
    if (before.startsWith("-") && !before.includes("=") && !arg.startsWith("-")) {
      if (namesSecret(before.replace(/^-+/, ""))) return secret;
      if (/^(?:-u|--user|--proxy-user)$/.test(before) && arg.includes(":")) return secret;
      const header = /^(?:-H|--headers?)$/.test(before) ? /^([A-Za-z0-9-]{1,64}\s*[:=]\s*)/.exec(arg) : null;
      if (header !== null) return `${header[1]}${secret}`;
    }
    const assignment = /^(-{0,2}[A-Za-z][A-Za-z0-9_.-]*)=/.exec(arg);
    const name = assignment?.[1];
    if (name === undefined || !namesSecret(name)) return shown(arg);
    return `${name}=${secret}`;
  });
}

/** As execvp(3): by the PATH, unless the command has a slash in it. On Windows it is what wire starts. */
function findProgram(command: string, facts: LaunchFacts): Found | undefined {
  const { cwd, env, lookUp } = facts;
  if (!isWindows(facts) && /[/\\]/.test(command)) return lookUp(absolute(command, facts));
  const paths = isWindows(facts)
    ? windowsPrograms(command, env, cwd)
    : (env["PATH"] ?? "").split(":").map((folder) => absolute(`${folder === "" ? "." : folder}/${command}`, facts));
  for (const path of paths) {
    const found = lookUp(path);
    if (found?.content !== undefined && found.executable) return found;
  }
  return undefined;
}

function absolute(path: string, facts: LaunchFacts): string {
  if (isWindows(facts)) return win32.resolve(facts.cwd, path);
  return /^(?:[/\\]|[A-Za-z]:)/.test(path) ? path : `${facts.cwd}/${path}`;
}

/** What runs a script that names its own interpreter: `/usr/bin/env node` is whatever `node` the PATH finds. */
function interpreterOf(line: string, facts: LaunchFacts): Found | undefined {
  const [program = "", ...words] = line.trim().split(/\s+/);
  const named =
    programOf(program) === "env" ? words.find((word) => !word.startsWith("-") && !word.includes("=")) : program;
  return named === undefined ? undefined : findProgram(named, facts);
}

/** The interpreters whose first plain argument is the program; with the options after which none follows. */
const interpreters =
  /^(?:node|nodejs|bun|deno|tsx|ts-node|python[0-9.]*|pypy[0-9.]*|ruby|perl|php|java|sh|bash|dash|zsh|ksh|fish)$/;

/** `py` is what Python's installer for Windows puts on the PATH. */
function isInterpreter(program: string, platform: NodeJS.Platform): boolean {
  return interpreters.test(program) || (platform === "win32" && program === "py");
}

const valuedOptions: ReadonlySet<string> = new Set([
  ...["-r", "--require", "--import", "--loader", "--experimental-loader", "-C", "--conditions", "--env-file"],
  ...["-X", "-W", "-cp", "-classpath", "--class-path", "--tsconfig", "-I", "-M"],
]);
const inlineOptions: ReadonlySet<string> = new Set(["-c", "-e", "-p", "-pe", "--eval", "--print", "-m", "-lc", "-ic"]);

/** Whether an option loads code that is looked for in the folder: `--import ./hook.js`. */
function loadsBesides(facts: LaunchFacts): boolean {
  const words = facts.args.map((word) => {
    const placed = withoutPlaces(word, facts);
    return isWindows(facts) ? placed.replaceAll("\\", "/") : placed;
  });
  return words.some((word, index) => {
    const [option = "", value = words[index + 1] ?? ""] = word.startsWith("--") ? word.split(/=(.*)/s) : [word];
    return loading.has(option) && /^\.|^\$\{CWD\}|^[^/@$-][^:]*\//.test(value);
  });
}

const loading: ReadonlySet<string> = new Set([
  ...["-r", "--require", "--import", "--loader", "--experimental-loader", "--preload", "-I", "-cp", "-classpath"],
]);

/** The script that an interpreter is told to run: where it is, if it can be found. */
function scriptWord({ command, args, platform }: LaunchFacts): string | undefined {
  const program = programOf(command);
  if (!isInterpreter(program, platform)) return undefined;
  for (let at = program === "deno" || (program === "bun" && args[0] === "run") ? 1 : 0; at < args.length; at++) {
    const word = args[at] ?? "";
    if (program === "java" && word === "-jar") return args[at + 1];
    if (inlineOptions.has(word)) return undefined;
    if (valuedOptions.has(word)) at++;
    else if (word === "--" || !word.startsWith("-")) return word === "--" ? args[at + 1] : word;
  }
  return undefined;
}

function scriptOf(facts: LaunchFacts): Found | undefined {
  const word = scriptWord(facts);
  return word === undefined ? undefined : facts.lookUp(absolute(word, facts));
}

/**
 * Whether another folder could make another program of the same words. Where the script is pinned by its content it could
 * not; a package runner is led astray only by files of its own in the folder.
 */
function dependsOnFolder(facts: LaunchFacts, script: Found | undefined): boolean {
  const { command, args, cwd, env, lookUp } = facts;
  const program = programOf(command);
  if (runsProject(command, args)) return true;
  if (
    Object.entries(env).some(
      ([name, value = ""]) => value !== "" && steers(name) && namesFolder(name, withoutPlaces(value, facts)),
    )
  )
    return true;
  const packages = packagesOf(command, args);
  if (packages !== undefined) {
    if (packages.some((name) => /^(?:\.|file:)/.test(name))) return true;
    const local = packages.map((name) => `node_modules/${name.replace(/(.)@.*$/, "$1")}`);
    const files = [".npmrc", ".yarnrc.yml", "bunfig.toml", "uv.toml", ".python-version", ...local];
    return files.some((name) => lookUp(`${cwd}/${name}`) !== undefined);
  }
  if (!isInterpreter(program, facts.platform)) return false;
  return script?.content === undefined || loadsBesides(facts);
}
