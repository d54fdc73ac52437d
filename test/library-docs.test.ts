import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expectNoDrift } from "countersign/testing";
import { beforeEach, describe, expect } from "vitest";
import { approve } from "./rig/approve.ts";
import { installed, type Place } from "./rig/place.ts";
import { test } from "./rig/test.ts";

const root = resolve(import.meta.dirname, "..");
const page = readFileSync(join(root, "docs/library.md"), "utf8");

/** A block with a name is a file; the block of text that follows it at once, or after a sentence, is what it prints. */
const snippets = new Map(
  [...page.matchAll(/^```ts (\S+)\n(.*?)^```\n(?:\n[^`\n]+\n)?(?:\n```text\n(.*?)^```\n)?/gms)].map(
    ([, name = "", code = "", prints]) => [name, { code, prints }] as const,
  ),
);

/** Started by others, or run in more than one way. */
const notAlone = new Set(["server.ts", "notes.test.ts"]);

function run(place: Place, args: readonly string[], env: Record<string, string> = {}) {
  const options = { cwd: place.folder, env: { ...place.env, ...env }, timeout: 50_000 };
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((ended) => {
    execFile(process.execPath, ["--disable-warning=ExperimentalWarning", ...args], options, (error, stdout, stderr) =>
      ended({ code: error === null ? 0 : error.code, stdout, stderr }),
    );
  });
}

/** A builder's project, with what npm would have installed. */
async function projectIn(place: Place): Promise<void> {
  symlinkSync(join(root, "node_modules"), join(place.folder, "node_modules"));
  place.write("package.json", { private: true, type: "module" });
  mkdirSync(join(place.folder, "notes"));
  for (const [name, { code }] of snippets) place.write(name, code);
}

describe("docs/library.md", () => {
  beforeEach(() => expect(snippets.size).toBe(8));

  for (const [name, { prints }] of snippets) {
    if (notAlone.has(name)) continue;
    test(`${name} prints what the page says [library.docs]`, async ({ place }) => {
      await projectIn(place);
      for (const [server, command] of [
        ["files", installed("mcp-server-filesystem", join(place.folder, "notes"))],
        ["memory", installed("mcp-server-memory")],
      ] as const) {
        const [program = "", ...args] = command;
        if (name !== "agent.ts") continue;
        await expectNoDrift({ command: program, args }, join(place.folder, `approved/${server}.json`), {
          update: true,
        });
      }
      const { code, stdout, stderr } = await run(place, [name]);
      expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toBe(prints);
    });
  }

  test("guard.ts has its tools once they are approved [library.docs]", async ({ place }) => {
    await projectIn(place);
    const { stderr } = await run(place, ["guard.ts"]);
    expect(stderr).toContain(
      'CountersignWarning: files: withholds 14 definitions; run "countersign review" to see them',
    );
    await approve(place, "files");
    expect((await run(place, ["guard.ts"])).stdout).toBe("14 undefined\n");
  });

  test("notes.test.ts passes, and fails where a description changed [library.testing]", async ({ place }) => {
    await projectIn(place);
    const file = join(place.folder, "test/definitions.lock.json");
    expect((await run(place, ["--test"])).stdout).toContain("write it once with the option update");
    expect(existsSync(dirname(file))).toBe(false);
    expect((await run(place, ["--test"], { UPDATE: "1" })).code).toBe(0);
    expect((await run(place, ["--test"])).code).toBe(0);
    place.write("server.ts", (snippets.get("server.ts")?.code ?? "").replace("The name of", "First read"));
    const { code, stdout } = await run(place, ["--test"]);
    expect(code).toBe(1);
    expect(stdout).toContain("changed-prose at /inputSchema/properties/name/description");
  });
});
