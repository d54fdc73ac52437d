import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { steady } from "./rig/steady.ts";

/**
 * Each file of test/transcripts is one session at a shell: `$` begins a command, what follows is what it prints, with `2>`
 * before a line on stderr and the exit code in brackets when it is not 0. A session has a folder and a ledger of its own.
 * `UPDATE=1 npx vitest run test/transcripts.test.ts` writes the files anew, for a person to read in the diff.
 */
const root = resolve(import.meta.dirname, "..");
const folder = join(root, "test/transcripts");
const temporary: string[] = [];

afterAll(() => {
  for (const path of temporary) rmSync(path, { recursive: true, force: true });
});

describe("transcripts", () => {
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".txt"))) {
    test(`[cli.transcripts] ${file}`, () => {
      const path = join(folder, file);
      const text = readFileSync(path, "utf8");
      const played = play(text);
      if (process.env["UPDATE"] === "1") writeFileSync(path, played);
      expect(played).toBe(process.env["UPDATE"] === "1" ? played : text);
    });
  }
});

function play(transcript: string): string {
  const home = mkdtempSync(join(tmpdir(), "countersign-transcript-"));
  temporary.push(home);
  const lines: string[] = [];
  for (const line of transcript.split("\n")) {
    if (line.startsWith("# ") || (line === "" && lines.at(-1) !== "")) lines.push(line);
    if (!line.startsWith("$ ")) continue;
    lines.push(line, ...run(line.slice(2), home));
  }
  return `${lines.join("\n").trim()}\n`;
}

function run(command: string, home: string): string[] {
  const { stdout, stderr, status } = spawnSync("bash", ["-c", `${functions}\n${command}`], {
    cwd: home,
    encoding: "utf8",
    env: {
      PATH: `${join(root, "node_modules/.bin")}:${process.env["PATH"]}`,
      HOME: home,
      XDG_STATE_HOME: join(home, "state"),
      XDG_CONFIG_HOME: join(home, "config"),
      ROOT: root,
      NODE: process.execPath,
    },
  });
  const printed = (text: string, mark: string) =>
    text.trimEnd() === ""
      ? []
      : text
          .trimEnd()
          .split("\n")
          .map((line) => `${mark}${steady(line, home)}`.trimEnd());
  return [...printed(stdout, ""), ...printed(stderr, "2> "), ...(status === 0 ? [] : [`[exit ${status}]`])];
}

const functions = `
countersign() { "$NODE" "$ROOT/packages/gate/dist/bin.js" "$@"; }
bundle() { "$NODE" "$ROOT/test/fixtures/bundle.ts" "$@"; }
host() { "$NODE" "$ROOT/test/fixtures/host.ts" "$@"; }
offered() { "$NODE" --disable-warning=ExperimentalWarning "$ROOT/test/fixtures/offered-to.ts" "$@"; }
visit() { host -- "$NODE" "$ROOT/packages/gate/dist/bin.js" run files -- node "$ROOT/demo/changed-server.ts" -- node "$ROOT/node_modules/.bin/mcp-server-filesystem" .; }
CHANGE='["--tool","read_text_file","--mutate","/inputSchema/properties/head/description","--value","Only the first N lines."]'
guarded() { local name=$1; shift; host "$@" -- "$NODE" "$ROOT/packages/gate/dist/bin.js" run "$name" -- "$NODE" "$ROOT/demo/poisoned-server.ts"; }
`;
