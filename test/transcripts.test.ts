import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";

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
host() { "$NODE" "$ROOT/test/fixtures/host.ts" "$@"; }
guarded() { local name=$1; shift; host "$@" -- "$NODE" "$ROOT/packages/gate/dist/bin.js" run "$name" -- "$NODE" "$ROOT/demo/poisoned-server.ts"; }
`;

/** What differs from machine to machine and from day to day. */
function steady(line: string, home: string): string {
  return (
    line
      .replaceAll(process.execPath, "<node>")
      .replaceAll(home, "<home>")
      .replaceAll(root, "<root>")
      .replace(/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.-]+Z/g, "<time>")
      // A backup has a folder by the path of its file.
      .replace(/(backups\/[^/"]+\.)[0-9a-f]{12}/, "$1<hash>")
      .replaceAll(` by ${userInfo().username}`, " by <user>")
      // An offer holds the launch, and that the paths and the Node of a machine.
      .replace(/(offer |that is )cs1:sha256:[0-9a-f]{64}/, "$1<digest>")
      .replace(/head cs1:sha256:[0-9a-f]{64}/, "head <hash>")
  );
}
