import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { windowsStart } from "./windows-start.ts";

/**
 * Node says what platform it is on before it loads the code, which then starts a real process. In the place of cmd.exe is a
 * program that notes the command line it was given.
 */
describe("spawnBatch(), where the platform says win32", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "countersign-windows-"));
    writeFileSync(join(folder, "npx.cmd"), "@node npx-cli.js %*\r\n");
    writeFileSync(join(folder, "cmd.exe"), '#!/bin/sh\nprintf "%s\\n" "$@" >"$(dirname "$0")/line"\n');
    chmodSync(join(folder, "cmd.exe"), 0o755);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const cases: readonly (readonly string[])[] = [
    ["-y", "some-server@1.2.3", "C:\\Users\\ada\\my notes"],
    ["a b", "", "tab\there", "ends in \\", "\\\\files\\team\\"],
    ["a&b", "a|b", "<in >out", "%PATH%", "^caret", "!x!", "(a)", "*?", "a;b,c=d"],
    ['{"a":1}', 'say "hi"', 'back\\"slash'],
  ];
  for (const args of cases) {
    test(`cmd.exe is given ${JSON.stringify(args)} so that it hands on just that [windows.quoting]`, () => {
      const start = windowsStart(
        { command: "npx.cmd", args },
        { env: { PATH: "C:\\" }, cwd: "C:\\", isFile: () => true },
      );
      expect(start.is).toBe("batch");
      const script = `
        Object.defineProperty(process, "platform", { value: "win32" });
        const { spawnBatch } = await import(${JSON.stringify(resolve(import.meta.dirname, "windows-batch.ts"))});
        const [file, args] = JSON.parse(process.argv[1]);
        spawnBatch(file, args, { stdio: ["pipe", "pipe", "pipe"] });`;
      const env = { ...process.env, comspec: join(folder, "cmd.exe"), PATHEXT: ".CMD" };
      execFileSync(
        process.execPath,
        ["--input-type=module", "-e", script, JSON.stringify([join(folder, "npx.cmd"), args])],
        {
          env,
        },
      );
      const [disable, strip, command, line = ""] = readFileSync(join(folder, "line"), "utf8").split("\n");
      expect([disable, strip, command]).toEqual(["/d", "/s", "/c"]);
      expect(argvOf(asCmdReads(line)).slice(1)).toEqual(args);
    });
  }
});

/** What cmd.exe makes of `"..."` after `/s /c`: the outer quotes go, and a caret takes the meaning of what follows it. */
function asCmdReads(line: string): string {
  const inner = /^"(.*)"$/.exec(line)?.[1] ?? "";
  let read = "";
  for (let at = 0; at < inner.length; at++) {
    const unit = inner[at] ?? "";
    if ('"&|<>'.includes(unit)) throw new Error(`cmd.exe would act on ${unit} at ${at} of ${line}`);
    read += unit === "^" ? (inner[++at] ?? "") : unit;
  }
  return read;
}

/** As CommandLineToArgvW has it. */
function argvOf(line: string): readonly string[] {
  const args: string[] = [];
  let at = 0;
  while (at < line.length) {
    let arg = "";
    let quoted = false;
    for (; at < line.length && (quoted || line[at] !== " "); at++) {
      const slashes = /^\\*/.exec(line.slice(at))?.[0].length ?? 0;
      if (slashes > 0 && line[at + slashes] === '"') {
        arg += "\\".repeat(slashes >> 1);
        at += slashes;
        if (slashes % 2 === 1) arg += '"';
        else quoted = !quoted;
      } else if (line[at] === '"') quoted = !quoted;
      else arg += line[at];
    }
    args.push(arg);
    at++;
  }
  return args;
}
