import { describe, expect, test } from "vitest";
import { windowsPrograms } from "./windows-program.ts";
import { type WindowsStart, windowsKill, windowsStart } from "./windows-start.ts";

const nodejs = "C:\\Program Files\\nodejs";
const env = { Path: `"${nodejs}";C:\\Users\\ada\\.local\\bin`, PATHEXT: ".COM;.EXE;.BAT;.CMD" };
const files = new Set([
  ...[`${nodejs}\\node.EXE`, `${nodejs}\\npx`, `${nodejs}\\npx.CMD`, "C:\\Users\\ada\\.local\\bin\\uvx.EXE"],
  ...["C:\\work\\npx.CMD", "C:\\work\\srv\\start.bat", "C:\\work\\srv\\start.v2.cmd", "\\\\files\\team\\serve.exe"],
]);

const starts: readonly (readonly [command: string, args: readonly string[], expected: WindowsStart])[] = [
  ["node", ["a.js"], { is: "program", file: `${nodejs}\\node.EXE`, args: ["a.js"] }],
  ["uvx", [], { is: "program", file: "C:\\Users\\ada\\.local\\bin\\uvx.EXE", args: [] }],
  // Neither the script for other shells beside it, nor the one of the folder in which it is started.
  ["npx", ["-y", "x"], { is: "batch", file: `${nodejs}\\npx.CMD`, args: ["-y", "x"] }],
  ["npx.CMD", [], { is: "batch", file: `${nodejs}\\npx.CMD`, args: [] }],
  [".\\srv\\start", [], { is: "batch", file: "C:\\work\\srv\\start.BAT", args: [] }],
  ["./srv/start.bat", [], { is: "batch", file: "C:\\work\\srv\\start.bat", args: [] }],
  ["srv/start.v2", [], { is: "batch", file: "C:\\work\\srv\\start.v2.CMD", args: [] }],
  ["\\\\files\\team\\serve.exe", ["a"], { is: "program", file: "\\\\files\\team\\serve.exe", args: ["a"] }],
  ["nothing", [], { is: "refused", code: "ENOENT" }],
  ["C:\\nothing", [], { is: "refused", code: "ENOENT" }],
  ["%ComSpec%", [], { is: "refused", code: "ENOENT" }],
  // A program gets whatever it is given; a batch file only what cmd.exe cannot take for a second command.
  ["node", ['a"&calc', "a\nb"], { is: "program", file: `${nodejs}\\node.EXE`, args: ['a"&calc', "a\nb"] }],
  [
    "npx",
    ["a&calc", "%PATH%", '{"a":1}'],
    { is: "batch", file: `${nodejs}\\npx.CMD`, args: ["a&calc", "%PATH%", '{"a":1}'] },
  ],
  ["npx", ['a"&calc'], { is: "refused", code: "UNSAFE_BATCH_ARGUMENT" }],
  ["npx", ['"|more'], { is: "refused", code: "UNSAFE_BATCH_ARGUMENT" }],
  ["npx", ["a\r\ncalc"], { is: "refused", code: "UNSAFE_BATCH_ARGUMENT" }],
];

describe("windowsStart()", () => {
  const isFile = (path: string) => [...files].some((file) => file.toLowerCase() === path.toLowerCase());
  for (const [command, args, expected] of starts) {
    test(`${command} ${JSON.stringify(args)} is ${expected.is} [windows.start]`, () => {
      expect(windowsStart({ command, args }, { env, cwd: "C:\\work", isFile })).toEqual(expected);
    });
  }
});

test("windowsPrograms() looks in no folder that is not absolute, and adds an ending to a name that has one [windows.start]", () => {
  const paths = windowsPrograms("a.b", { PATH: ".;;bin;\\tools;D:\\bin", PathExt: ".EXE;;.CMD" }, "C:\\work");
  expect(paths).toEqual([
    ...["C:\\tools\\a.b", "C:\\tools\\a.b.EXE", "C:\\tools\\a.b.CMD"],
    ...["D:\\bin\\a.b", "D:\\bin\\a.b.EXE", "D:\\bin\\a.b.CMD"],
  ]);
});

test("windowsKill() ends the whole tree by the system's own program [windows.kill]", () => {
  expect(windowsKill(4711, { SystemRoot: "D:\\Windows" })).toEqual({
    file: "D:\\Windows\\System32\\taskkill.exe",
    args: ["/PID", "4711", "/T", "/F"],
  });
  expect(windowsKill(1, {}).file).toBe("C:\\Windows\\System32\\taskkill.exe");
});
