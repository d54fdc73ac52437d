import { describe, expect, test } from "vitest";
import { guardedBy } from "./guarded-by.ts";

function guarded(...words: readonly string[]) {
  const [command = "", ...args] = words;
  return guardedBy({ reach: { is: "stdio", command, args, env: new Map([["A", "b"]]), cwd: "/w" } });
}

const behind = ["node", "server.js", "--", "run"];

describe("guardedBy()", () => {
  test.each([
    [["countersign"]],
    [["/usr/local/bin/countersign"]],
    [["C:\\Users\\me\\AppData\\Roaming\\npm\\countersign.cmd"]],
    [["node", "/opt/lib/node_modules/countersign/dist/bin.js"]],
    [["C:\\Program Files\\nodejs\\node.exe", "C:\\lib\\countersign\\dist\\bin.js"]],
    [["/usr/bin/node", "--no-warnings", "/src/packages/gate/dist/bin.js"]],
    [["node", "/src/packages/gate/src/bin.ts"]],
    [["/app/node_modules/.bin/countersign"]],
    [["npx", "countersign"]],
    [["npx", "-y", "countersign@0.1.0"]],
    [["npx", "--yes", "--package=countersign@0.1.0", "countersign"]],
    [["bunx", "countersign"]],
    [["pnpm", "dlx", "countersign"]],
    [["npm", "exec", "-y", "countersign@1"]],
    [["cmd", "/c", "npx", "-y", "countersign"]],
    [["env", "A=b", "countersign"]],
  ])("%j", (by) => {
    expect(guarded(...by, "run", "files", "--", ...behind)).toEqual({
      ...{ server: "files", options: [], by },
      behind: { is: "stdio", command: "node", args: ["server.js", "--", "run"], env: new Map([["A", "b"]]), cwd: "/w" },
    });
  });

  test("keeps what stands beside the name", () => {
    expect(guarded("countersign", "run", "--ledger", "/l.db", "files", "--config=c", "--", "x")).toMatchObject({
      server: "files",
      options: ["--ledger", "/l.db", "--config=c"],
    });
  });

  test.each([
    [["node", "server.js", "run", "files", "--", "x"]],
    [["npx", "-y", "countersign-evil", "run", "files", "--", "x"]],
    [["npx", "-y", "evil", "countersign", "run", "files", "--", "x"]],
    [["countersign", "status", "files"]],
    [["countersign", "run", "files"]],
    [["countersign", "run", "files", "--"]],
    [["countersign", "run", "two", "names", "--", "x"]],
    [["countersign", "run", "no name", "--", "x"]],
    [["node", "-e", "evil()", "/countersign/dist/bin.js", "run", "files", "--", "x"]],
    [["bash", "-c", "countersign run files -- x"]],
    [["run", "files", "--", "x"]],
    [["npx", "-y", "pkg"]],
  ])("%j is not guarded", (words) => expect(guarded(...words)).toBeUndefined());

  test("nothing but a command is guarded", () => {
    expect(
      guardedBy({ reach: { is: "remote", url: "countersign run x -- y", transport: "http", headers: new Map() } }),
    ).toBeUndefined();
    expect(guardedBy({ reach: { is: "opaque", because: "SHELL" } })).toBeUndefined();
  });
});
