import { describe, expect, test } from "vitest";
import { expand } from "./expand.ts";
import { type HostId, hostIds } from "./host-id.ts";
import { hostOf } from "./hosts.ts";

const dollar = "$";
const env = new Map([
  ["TOKEN", "t"],
  ["EMPTY", ""],
  ["NESTED", `${dollar}{TOKEN}`],
]);
const linux = { platform: "linux", home: "/home/me", cwd: "/work", env } as const;
const known = new Map([
  ["workspaceFolder", "/work"],
  ["userHome", "/home/me"],
]);

function expanded(host: HostId, text: string, surroundings = linux as Parameters<typeof expand>[2]): string {
  const result = expand(text, hostOf(host), surroundings, known);
  return result.is === "text" ? result.text : `unknown ${result.variable}`;
}

describe("expand()", () => {
  const cases: readonly (readonly [HostId, string, string])[] = [
    ["claude-code", `a${dollar}{TOKEN}b`, "atb"],
    ["claude-code", `${dollar}{GONE}`, `unknown ${dollar}{GONE}`],
    ["claude-code", `${dollar}{GONE:-else}`, "else"],
    ["claude-code", `${dollar}{GONE:-}`, ""],
    ["claude-code", `${dollar}{TOKEN:-else}`, "t"],
    ["claude-code", `${dollar}{EMPTY:-else}`, "else"],
    ["claude-code", `${dollar}TOKEN %TOKEN% {env:TOKEN}`, `${dollar}TOKEN %TOKEN% {env:TOKEN}`],
    ["claude-code", `${dollar}{NESTED}`, `${dollar}{TOKEN}`],
    ["vscode", `${dollar}{env:TOKEN}`, "t"],
    ["vscode", `${dollar}{env:GONE}`, `unknown ${dollar}{env:GONE}`],
    ["vscode", `${dollar}{input:key}`, `unknown ${dollar}{input:key}`],
    ["vscode", `${dollar}{workspaceFolder}/x`, "/work/x"],
    ["vscode", `${dollar}{userHome}/x`, "/home/me/x"],
    ["claude-code", `${dollar}{env:TOKEN}`, `unknown ${dollar}{env:TOKEN}`],
    ["kiro", `${dollar}{TOKEN:-x}`, `unknown ${dollar}{TOKEN:-x}`],
    ["claude-desktop", `${dollar}{userHome}`, `unknown ${dollar}{userHome}`],
    ["vscode", `${dollar}{TOKEN}`, `unknown ${dollar}{TOKEN}`],
    ["vscode", `${dollar}{command:run}`, `unknown ${dollar}{command:run}`],
    ["continue", `${dollar}{{ secrets.TOKEN }}`, "t"],
    ["continue", `${dollar}{{ secrets.GONE }}`, `unknown ${dollar}{{ secrets.GONE }}`],
    ["gemini-cli", `${dollar}TOKEN/${dollar}{TOKEN}/%TOKEN%`, "t/t/t"],
    ["gemini-cli", `a${dollar}TOKEN`, `a${dollar}TOKEN`],
    ["gemini-cli", `${dollar}GONE`, `unknown ${dollar}GONE`],
    ["opencode", "{env:TOKEN}", "t"],
    ["opencode", "{file:~/key}", "unknown {file:~/key}"],
    ["claude-desktop", `${dollar}{TOKEN}`, `unknown ${dollar}{TOKEN}`],
    ["claude-desktop", "100% of %TOKEN%", "100% of %TOKEN%"],
  ];
  test.each(cases)("%s: %s", (host, text, result) => expect(expanded(host, text)).toBe(result));

  test("does not tell spellings of a variable apart on Windows", () => {
    expect(expanded("claude-code", `${dollar}{Token}`, { ...linux, platform: "win32" })).toBe("t");
    expect(expanded("claude-code", `${dollar}{Token}`)).toBe(`unknown ${dollar}{Token}`);
  });

  test.each(hostIds)("leaves a text of %s without variables as it is", (id) => {
    for (const text of ["", "npx", "C:\\Users\\me", "a{b}c", "50%", "$", "$$", "a$b"])
      expect(expanded(id, text)).toBe(text);
  });
});
