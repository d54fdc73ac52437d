import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect } from "vitest";
import { parse } from "yaml";
import { type Locked, lockedIn } from "./rig/locked.ts";
import type { Place } from "./rig/place.ts";
import { tool } from "./rig/script.ts";
import { test } from "./rig/test.ts";

const root = resolve(import.meta.dirname, "..");

interface Step {
  readonly id?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const action: {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
} = parse(readFileSync(join(root, "action.yml"), "utf8"));
const { steps } = action.runs;

/** What a runner does with the steps that are scripts: gives them their inputs as variables, and runs them. */
function runAction(place: Place, { root: cwd }: Locked, inputs: Readonly<Record<string, string>>) {
  const file = (name: string) => place.write(name, "");
  const [output, summary] = [file("output"), file("summary")];
  const known = new Map([["github.action_path", root]]);
  for (const [name, { default: value }] of Object.entries(action.inputs))
    known.set(`inputs.${name}`, inputs[name] ?? value);
  let stdout = "";
  for (const step of steps) {
    if (step.run === undefined) continue;
    for (const line of readFileSync(output, "utf8").split("\n")) {
      const [name = "", value = ""] = line.split("=");
      known.set(`steps.check.outputs.${name}`, value);
    }
    const env = Object.entries(step.env ?? {}).map(([name, value]) => [
      name,
      value.replace(/\$\{\{ (.*?) \}\}/g, (_, key: string) => known.get(key) ?? ""),
    ]);
    const ended = spawnSync("bash", ["-e", "-c", step.run], {
      cwd,
      encoding: "utf8",
      env: {
        ...{ ...place.env, CI: "true", RUNNER_TEMP: place.folder },
        ...{ GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summary },
        ...Object.fromEntries(env),
      },
    });
    stdout += ended.stdout + ended.stderr;
    if (step.id === undefined) {
      return {
        code: ended.status,
        stdout,
        summary: readFileSync(summary, "utf8"),
        output: readFileSync(output, "utf8"),
      };
    }
  }
  throw new Error("no step says how it ended");
}

describe("the action", () => {
  test("[ci.pinned] runs other actions by their commits, and puts no input into a script", () => {
    expect(action.runs.using).toBe("composite");
    for (const { uses, run } of steps) {
      if (uses !== undefined) expect(uses).toMatch(/^[a-z-]+\/[a-z/-]+@[0-9a-f]{40}$/);
      expect(run ?? "").not.toContain("${{");
    }
    for (const { description } of Object.values(action.inputs)) expect(description).not.toBe("");
  });

  test("[ci.action] passes what is approved, fails what is not, and says so in the summary", async ({ place }) => {
    const locked = await lockedIn(place, tool("a"));
    const passed = runAction(place, locked, {});
    expect(passed).toMatchObject({ code: 0, output: expect.stringContaining("exit-code=0\nsarif=") });
    expect(passed.summary).toContain("### Countersign: exit code 0\n\n    raw: 2 bound\n");
    locked.offer(tool("a"), tool("b"));
    const failed = runAction(place, locked, { only: "raw" });
    expect(failed.code).toBe(2);
    expect(failed.summary).toContain("    raw: 2 bound, 1 not approved\n");
    expect(JSON.parse(readFileSync(join(place.folder, "countersign.sarif"), "utf8")).runs[0].results).toHaveLength(1);
  });

  test("[ci.injection] takes no input for a part of a script", async ({ place }) => {
    const locked = await lockedIn(place, tool("a"));
    const evil = `x"; touch ${place.folder}/pwned; $(touch ${place.folder}/pwned) \`touch ${place.folder}/pwned\``;
    for (const name of Object.keys(action.inputs)) {
      expect(runAction(place, locked, { [name]: evil }).code).toBeTypeOf("number");
      expect(existsSync(join(place.folder, "pwned"))).toBe(false);
    }
    expect(runAction(place, locked, { lockfile: evil }).code).toBe(3);
    expect(runAction(place, locked, { lockfile: "--yes" }).code).toBe(3);
  });
});

describe("the pre-commit hook", () => {
  const [hook]: readonly Readonly<Record<string, unknown>>[] = parse(
    readFileSync(join(root, ".pre-commit-hooks.yaml"), "utf8"),
  );

  test("[ci.hook] looks at the lockfile and at what hosts would start, and at nothing else", () => {
    expect(hook).toMatchObject({ language: "node", pass_filenames: false });
    // Python's verbose flag: white space in the pattern means nothing.
    const files = new RegExp(String(hook?.["files"]).replace("(?x)", "").replace(/\s+/g, ""));
    for (const file of [
      "countersign.lock",
      "a/countersign.lock",
      ".mcp.json",
      ".vscode/mcp.json",
      ".gemini/settings.json",
    ])
      expect(file).toMatch(files);
    for (const file of ["package-lock.json", "countersign.lock.bak", "vscode/mcp.json"])
      expect(file).not.toMatch(files);
  });

  test("[ci.hook] starts no server, and fails for what would be started and is not locked", async ({ place }) => {
    const locked = await lockedIn(place, tool("a"));
    const [command = "", ...args] = String(hook?.["entry"]).split(" ");
    expect(command).toBe("countersign");
    locked.offer("neither a list nor JSON");
    expect(await locked.countersign(args, {})).toMatchObject({ code: 0, stderr: "" });
    writeFileSync(
      join(locked.root, ".mcp.json"),
      '{ "mcpServers": { "other": { "command": "npx", "args": ["other"] } } }',
    );
    const failed = await locked.countersign(args, {});
    expect(failed.code).toBe(2);
    expect(failed.stdout).toContain(".mcp.json:1: other: NOT_LOCKED");
    symlinkSync("nowhere", join(locked.root, ".cursor"));
    expect((await locked.countersign(args, {})).code).toBe(2);
  });

  test("[ci.version] the hook and the action run the version that they are of", () => {
    const { version } = JSON.parse(readFileSync(join(root, "packages/gate/package.json"), "utf8"));
    // What npm installs from git for the hook is the repository's own package, and that has to have a version.
    expect(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version).toBe(version);
    expect(hook?.["additional_dependencies"]).toEqual([`countersign@${version}`]);
    expect(action.inputs["version"]?.default).toBe(version);
  });
});
