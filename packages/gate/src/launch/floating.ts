/** Why a launch can start another program tomorrow without a change in its words. */
export type Floating =
  | "unpinned-package"
  | "remote-source"
  | "shell"
  | "unpinned-image"
  /** What it runs is decided by files of the folder in which it is started. */
  | "project-file";

/** The program's own name: without its folder, and without what Windows adds. */
export function programOf(command: string): string {
  return (command.split(/[/\\]/).at(-1) ?? command).toLowerCase().replace(/\.(?:exe|cmd|bat|ps1)$/, "");
}

interface Runner {
  /** Words that come before the package, one choice each. */
  readonly verbs: readonly (readonly string[])[];
  /** Options that name the package. */
  readonly from?: readonly string[];
  /** Options that are followed by a value of their own. */
  readonly valued?: readonly string[];
  readonly pinned: (name: string) => boolean;
}

/** An exact version of npm's, as in `@scope/name@1.2.3`; a range, a tag or nothing floats. */
function pinnedByNpm(name: string): boolean {
  return /^(?:@[^/@]+\/)?[^/@]+@v?[0-9]+\.[0-9]+\.[0-9]+(?:[-+][0-9A-Za-z.+-]+)?$/.test(name);
}

function pinnedByPip(name: string): boolean {
  return (
    /^[A-Za-z0-9._-]+(?:\[[^\]]*\])?(?:===?|@)v?[0-9]+(?:\.[0-9]+)+[0-9A-Za-z.+!-]*$/.test(name) && !name.includes("*")
  );
}

const npmFrom = ["-p", "--package"];
const npm = { from: npmFrom, valued: ["-c", "--call", "-w", "--workspace", "--registry", "--cache", "--prefix"] };
const uv = {
  from: ["--from"],
  valued: [
    "--with",
    "-w",
    "--python",
    "-p",
    "--index",
    "--index-url",
    "-i",
    "--default-index",
    "--extra-index-url",
    "--with-editable",
    "--with-requirements",
    "--directory",
    "--project",
    "--cache-dir",
    "--config-file",
    "--env-file",
    "-c",
    "--constraints",
    "--find-links",
    "-f",
  ],
};
const runners: ReadonlyMap<string, Runner> = new Map<string, Runner>([
  ["npx", { verbs: [[]], ...npm, pinned: pinnedByNpm }],
  ["npm", { verbs: [["exec"], ["x"]], ...npm, pinned: pinnedByNpm }],
  ["pnpm", { verbs: [["dlx"]], ...npm, pinned: pinnedByNpm }],
  ["pnpx", { verbs: [[]], ...npm, pinned: pinnedByNpm }],
  ["yarn", { verbs: [["dlx"]], ...npm, pinned: pinnedByNpm }],
  ["bunx", { verbs: [[]], ...npm, pinned: pinnedByNpm }],
  ["bun", { verbs: [["x"]], ...npm, pinned: pinnedByNpm }],
  ["dnx", { verbs: [[]], valued: ["--version", "--source", "--add-source"], pinned: pinnedByNpm }],
  ["uvx", { verbs: [[]], ...uv, pinned: pinnedByPip }],
  ["uv", { verbs: [["tool", "run"]], ...uv, pinned: pinnedByPip }],
  [
    "pipx",
    {
      verbs: [["run"]],
      from: ["--spec"],
      valued: ["--python", "--index-url", "-i", "--pip-args"],
      pinned: pinnedByPip,
    },
  ],
]);

const shells: ReadonlySet<string> = new Set([
  ...["sh", "bash", "dash", "zsh", "ksh", "fish", "ash", "busybox", "cmd", "powershell", "pwsh"],
]);
const containers: ReadonlySet<string> = new Set(["docker", "podman", "nerdctl"]);

/** Tools that look into the folder in which they are started, or another, for what to run; with the verbs that do. */
const projectRunners: ReadonlyMap<string, readonly string[]> = new Map([
  ["npm", ["run", "run-script", "start", "test"]],
  ["pnpm", ["run", "start", "exec"]],
  ["yarn", ["run", "start", "exec", "node"]],
  ["bun", ["run"]],
  ["uv", ["run"]],
  ["poetry", ["run"]],
  ["pipenv", ["run"]],
  ["hatch", ["run"]],
  ["cargo", ["run"]],
  ["go", ["run"]],
  ["dotnet", ["run"]],
  ["docker-compose", ["run", "up"]],
  ["deno", ["task"]],
]);

/** The packages that a package runner is told to fetch and run; undefined where the command is none. */
export function packagesOf(command: string, args: readonly string[]): readonly string[] | undefined {
  const words = runnerWords(command, args);
  if (words === undefined) return undefined;
  const { runner, rest } = words;
  const packages: string[] = [];
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at] ?? "";
    const [option = "", value] = word.startsWith("--") ? word.split(/=(.*)/s) : [word];
    if (runner.from?.includes(option) === true) packages.push(value ?? rest[++at] ?? "");
    else if (runner.valued?.includes(option) === true) at += value === undefined ? 1 : 0;
    else if (word === "--" || word.startsWith("-")) continue;
    else return packages.length > 0 ? packages : [word];
  }
  return packages;
}

function runnerWords(command: string, args: readonly string[]) {
  const runner = runners.get(programOf(command));
  if (runner === undefined) return undefined;
  const start = args.findIndex((word) => !word.startsWith("-"));
  const words = runner.verbs[0]?.length === 0 ? args : args.slice(Math.max(start, 0));
  const verbs = runner.verbs.find((verb) => verb.every((one, index) => words[index] === one));
  return verbs === undefined ? undefined : { runner, rest: words.slice(verbs.length) };
}

/** Every reason why a launch floats, in the order of the type. Empty where none is known. */
export function floatingOf(command: string, args: readonly string[]): readonly Floating[] {
  const reasons = new Set<Floating>();
  const packages = packagesOf(command, args);
  const pinned = runnerWords(command, args)?.runner.pinned ?? (() => true);
  for (const name of packages ?? []) {
    if (isRemote(name)) {
      if (!/[#@][0-9a-f]{40}$/.test(name)) reasons.add("remote-source");
    } else if (!pinned(name)) reasons.add("unpinned-package");
  }
  // With a command line of its own, or nothing that names a package, it runs what nobody has said here.
  if (packages?.length === 0) reasons.add("unpinned-package");
  const program = programOf(command);
  if (program === "deno" && args[0] === "run" && args.some((word) => /^(?:https?:|npm:|jsr:)/.test(word))) {
    if (!args.some((word) => /^(?:npm|jsr):.+@[0-9]+\.[0-9]+\.[0-9]+/.test(word))) reasons.add("remote-source");
  }
  if (shells.has(program)) reasons.add("shell");
  if (containers.has(program) && ["run", "create"].includes(args.find((word) => !word.startsWith("-")) ?? "")) {
    if (!args.some((word) => /@sha256:[0-9a-f]{64}$/.test(word))) reasons.add("unpinned-image");
  }
  if (runsProject(command, args)) reasons.add("project-file");
  return [...reasons];
}

export function runsProject(command: string, args: readonly string[]): boolean {
  const program = programOf(command);
  if (program === "make" || program === "just" || program === "task") return true;
  const verb = args.find((word) => !word.startsWith("-")) ?? "";
  if (containers.has(program) && verb === "compose") return true;
  if (program === "uv" && args[0] === "tool") return false;
  return projectRunners.get(program)?.includes(verb) === true;
}

function isRemote(name: string): boolean {
  return /^(?:git[+@:]|github:|gitlab:|bitbucket:|https?:|ssh:|[\w.-]+\/[\w.-]+(?:#.*)?$)|\.git(?:$|[@#])|\s@\s*git\+/.test(
    name,
  );
}

const wrappers: ReadonlySet<string> = new Set([
  ...["env", "nohup", "nice", "ionice", "stdbuf", "timeout", "sudo", "doas", "setsid", "time", "xvfb-run", "dotenv"],
]);

/** The command line within one that only prepares for it, as `env A=b node server.js`; itself where it is none such. */
export function innermost(command: string, args: readonly string[]): { command: string; args: readonly string[] } {
  if (!wrappers.has(programOf(command))) return { command, args };
  const at = args.findIndex((word) => !/^-|^[A-Za-z_][A-Za-z0-9_]*=|^[0-9.]+[smhd]?$/.test(word));
  const inner = args[at];
  return inner === undefined ? { command, args } : innermost(inner, args.slice(at + 1));
}
