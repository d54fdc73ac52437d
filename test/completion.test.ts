import { spawn, spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { delimiter } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect } from "vitest";
import type { Place } from "./rig/place.ts";
import { stationIn } from "./rig/station.ts";
import { test } from "./rig/test.ts";

const isHere = (program: string) => spawnSync(program, ["--version"]).error === undefined;

/** Where `countersign` is a command, and knows a server. */
async function withCommand(place: Place): Promise<Readonly<Record<string, string>>> {
  const quoted = place.command().map((word) => `'${word}'`);
  chmodSync(place.write("bin/countersign", `#!/bin/sh\nexec ${quoted.join(" ")} "$@"\n`), 0o755);
  const host = stationIn(place).host();
  await host.initialize();
  await host.end();
  return { ...place.env, PATH: `${place.folder}/bin${delimiter}${place.env["PATH"]}` };
}

/** What a shell offers for each line, as it stands when somebody presses Tab. */
const lines: readonly (readonly [line: string, offered: readonly string[]])[] = [
  ["countersign sta", ["status"]],
  ["countersign status sta", ["station"]],
  ["countersign approve station --pro", ["--prose"]],
  ["countersign approve station --prose f", ["frozen"]],
  ["countersign explain html", ["html-comment"]],
  ["countersign revoke station reso", ["resource"]],
];

describe("a shell completes [cli.completion]", () => {
  test("bash", async ({ place, skip }) => {
    skip(!isHere("bash"), "bash is not here");
    const env = await withCommand(place);
    for (const [line, offered] of lines) {
      const words = line.split(" ");
      const script = `eval "$(countersign completion bash)"
        COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}
        _countersign; printf '%s\\n' "\${COMPREPLY[@]}"`;
      expect([line, spawnSync("bash", ["-c", script], { env, encoding: "utf8" }).stdout.trim().split("\n")]).toEqual([
        line,
        offered,
      ]);
    }
    const files = `eval "$(countersign completion bash)"; complete -p countersign`;
    expect(spawnSync("bash", ["-c", files], { env, encoding: "utf8" }).stdout).toBe(
      "complete -F _countersign countersign\n",
    );
  });

  test("zsh, at a terminal", async ({ place, skip }) => {
    skip(!isHere("zsh"), "zsh is not here; install it, as in: apt-get install zsh");
    const env = await withCommand(place);
    const start = `autoload -Uz compinit; compinit -u; eval "$(countersign completion zsh)"; unset zle_bracketed_paste; PS1='rea''dy> '\n`;
    for (const [line, [offered = ""]] of lines) {
      expect([line, await completedBy(["zsh", "-f", "-i"], env, start, line, offered)]).toEqual([line, true]);
    }
  });

  test("fish", async ({ place, skip }) => {
    skip(!isHere("fish"), "fish is not here; install it, as in: apt-get install fish");
    const env = await withCommand(place);
    for (const [line, offered] of lines) {
      const script = `countersign completion fish | source; complete --do-complete '${line}'`;
      expect([
        line,
        spawnSync("fish", ["--no-config", "-c", script], { env, encoding: "utf8" }).stdout.trim().split("\n"),
      ]).toEqual([line, offered]);
    }
  });

  test("files where a path or a server's command is meant, and makes no ledger [cli.completion-files]", async ({
    place,
  }) => {
    for (const words of [
      ["trust", ""],
      ["scan", "files", "--", ""],
      ["status", "--config", ""],
    ]) {
      expect((await place.countersign("complete-words", ...words)).stdout).toBe(":files\n");
    }
    expect(await place.countersign("complete-words", "status", "")).toEqual({ code: 0, stdout: "", stderr: "" });
    expect((await place.countersign("status")).stdout).toContain("no server has been seen yet");
  });
});

/** Writes a line at an interactive shell, presses Tab, and looks for the whole word on the screen. */
function completedBy(
  shell: readonly string[],
  env: Readonly<Record<string, string>>,
  start: string,
  line: string,
  word: string,
): Promise<boolean> {
  const child = spawn("script", ["-qec", `stty cols 200; ${shell.join(" ")}`, "/dev/null"], {
    env: { ...env, TERM: "xterm" },
  });
  let screen = "";
  let stage: "starting" | "ready" = "starting";
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const give = setTimeout(() => resolve(false), 15_000);
  child.stdout.on("data", (chunk) => {
    screen += String(chunk);
    if (stage === "starting" && screen.includes("ready> ")) {
      stage = "ready";
      screen = "";
      child.stdin.write(`${line}\t`);
    } else if (stage === "ready" && plain(screen).includes(`${line.slice(0, line.lastIndexOf(" ") + 1)}${word}`))
      resolve(true);
  });
  child.stdin.write(start);
  return promise.finally(() => {
    clearTimeout(give);
    child.kill("SIGKILL");
  });
}

/** Without what moves the cursor. */
function plain(screen: string): string {
  return stripVTControlCharacters(screen).replaceAll(/.[\b]/g, "");
}
