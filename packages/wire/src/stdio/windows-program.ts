import { win32 } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The files that a command may mean on Windows, the first that exists being the one: by PATH and PATHEXT, as the command
 * interpreter finds it, but for the folder it is started in. A repository would otherwise decide what `npx` is.
 */
export function windowsPrograms(command: string, env: Environment, cwd: string): readonly string[] {
  const endings = (variableOf(env, "PATHEXT") || ".COM;.EXE;.BAT;.CMD").split(";").filter((ending) => ending !== "");
  // A name without an ending is never run as it is: npm puts a script for other shells beside its `npx.cmd`.
  const spellings = /\.[^\\/.]+$/.test(command) ? ["", ...endings] : endings;
  const folders = /[/\\]|^[A-Za-z]:/.test(command)
    ? [cwd]
    : (variableOf(env, "PATH") ?? "")
        .split(";")
        .map((folder) => folder.replace(/^"(.*)"$/, "$1"))
        .filter((folder) => win32.isAbsolute(folder));
  return folders.flatMap((folder) => spellings.map((ending) => win32.resolve(cwd, folder, `${command}${ending}`)));
}

/** The names of variables are not told apart by case on Windows. */
export function variableOf(env: Environment, name: string): string | undefined {
  const found = Object.keys(env).find((key) => key.toUpperCase() === name);
  return found === undefined ? undefined : env[found];
}
