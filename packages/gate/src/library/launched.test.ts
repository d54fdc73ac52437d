import { resolve } from "node:path";
import { expect, test } from "vitest";
import { inheritedFrom } from "./inherited-from.ts";
import { commandOf } from "./launched.ts";

test("inheritedFrom() is what the SDKs' transports hand on, and nothing that steers", () => {
  const env = { PATH: "/bin", HOME: "/home/me", NODE_OPTIONS: "--require ./a.js", API_BASE_URL: "https://a.example" };
  expect(inheritedFrom(env, "linux")).toEqual({ PATH: "/bin", HOME: "/home/me" });
  const windows = { PATH: "C:\\bin", PATHEXT: ".EXE", APPDATA: "C:\\a", NODE_OPTIONS: "--inspect" };
  expect(inheritedFrom(windows, "win32")).toEqual({ PATH: "C:\\bin", PATHEXT: ".EXE", APPDATA: "C:\\a" });
});

test("commandOf() leaves nothing out", () => {
  expect(commandOf({ command: "node" })).toEqual({ command: "node", args: [], env: inheritedFrom(process.env) });
  const { cwd, env } = commandOf({ command: "node", args: ["a"], cwd: "b", env: { NODE_OPTIONS: "--c" } });
  expect(cwd).toBe(resolve("b"));
  expect(env).toEqual({ ...inheritedFrom(process.env), NODE_OPTIONS: "--c" });
  expect(commandOf({ command: "node", cwd: new URL("file:///a/b") }).cwd).toBe(resolve("/a/b"));
});
