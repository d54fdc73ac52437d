import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { openSqlite } from "@countersign/ledger";
import { describe, expect } from "vitest";
import { approval, sample, serverNamed, sighting } from "../packages/ledger/src/under-test/samples.ts";
import { approve } from "./rig/approve.ts";
import type { Ended, Place } from "./rig/place.ts";
import { answer, hello, scripted, tool } from "./rig/script.ts";
import { toolNames } from "./rig/station.ts";
import { test } from "./rig/test.ts";

const script = { initialize: [hello("tools")], "tools/list": [answer(`{"tools":[${tool("a")},${tool("b")}]}`)] };

/** A command line of a server that always offers the same. What stands behind its script, it does not look at. */
function serving(place: Place, ...more: readonly string[]): readonly string[] {
  return [...scripted(place, script, [], "script.json"), ...more];
}

type Environment = Readonly<Record<string, string>>;

/** What a host is shown when it starts a server so: its tools, or why there are none. */
async function visit(place: Place, command: readonly string[], env: Environment = {}) {
  const host = place.host(place.guarded("raw", command), env);
  const { error } = await host.initialize();
  const tools = error === undefined ? toolNames(await host.ask("tools/list")) : undefined;
  const { code } = await host.end();
  return { tools, error, stderr: host.stderr, code };
}

async function approved(place: Place, command: readonly string[], env: Environment = {}): Promise<void> {
  await visit(place, command, env);
  await approve(place, "raw");
  expect((await visit(place, command, env)).tools).toEqual(["a", "b"]);
}

interface Row {
  readonly kind: string;
  readonly name: string;
  readonly verdict: string;
  readonly floating?: readonly string[];
  readonly reasons: readonly { readonly code: string; readonly drift?: readonly unknown[] }[];
}

async function standing(place: Place) {
  const { stdout } = await place.countersign("status", "raw", "--json", "--text");
  const [server] = (JSON.parse(stdout) as { servers: { waiting: number; held: number; definitions: Row[] }[] }).servers;
  if (server === undefined) throw new Error(`no server in ${stdout}`);
  return { ...server, launch: server.definitions.find(({ kind }) => kind === "launch") };
}

function ledgerBytes(place: Place): string {
  const folder = join(place.folder, "state", "countersign");
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1"))
    .join("\n");
}

describe("how a server is reached", { concurrent: true }, () => {
  test("waits at first sight with what the server offers, and is approved in one decision [launch.first-sight]", async ({
    place,
  }) => {
    const command = serving(place);
    expect((await visit(place, command)).tools).toEqual([]);
    const { waiting, launch } = await standing(place);
    expect(waiting).toBe(4);
    expect(launch).toMatchObject({ name: "stdio", verdict: "quarantine", reasons: [{ code: "NO_BASELINE" }] });
    await approve(place, "raw");
    expect((await visit(place, command)).tools).toEqual(["a", "b"]);
    expect((await place.countersign("status", "raw")).code).toBe(0);
  });

  test("is one decision with a diff when it changes, and equal digests stay bound [launch.changed] [launch.not-started]", async ({
    place,
  }) => {
    await approved(place, serving(place, "pkg@1.2.3"));
    const start = [{ stderr: "I was started\n" }];
    const changed = [...scripted(place, { ...script, start }, [], "script.json"), "pkg@1.2.4"];
    const { error, stderr, code } = await visit(place, changed);
    const review = /cs-[0-9a-f]{12}/.exec(error?.message ?? "")?.[0];
    expect(error).toEqual({
      code: -32603,
      message: `Countersign withholds this server: LAUNCH_CHANGED; ask the user to review ${review}, then reconnect`,
      data: { reason: "LAUNCH_CHANGED", review },
    });
    expect(stderr).toBe(
      `countersign: raw: not started: LAUNCH_CHANGED, it would not be reached as it was approved to be (review ${review}); run "countersign review raw", then reconnect the host\n`,
    );
    expect(code).toBe(2);
    const held = await standing(place);
    expect(held).toMatchObject({ waiting: 1, held: 3 });
    expect(held.launch?.reasons).toEqual([
      {
        gate: "baseline",
        code: "LAUNCH_CHANGED",
        drift: [
          { at: "/args/2", role: "contract", change: "changed-contract", before: '"pkg@1.2.3"', after: '"pkg@1.2.4"' },
        ],
      },
    ]);
    const { stdout } = await place.countersign("status", "raw", "--text");
    expect(stdout).toContain("3 definitions that are approved wait for the launch");
    await approve(place, "raw");
    const { stdout: log } = await place.countersign("log", "raw");
    expect(log).toMatch(/approved 1 by .+$/m);
    const after = await visit(place, changed);
    expect(after.tools).toEqual(["a", "b"]);
    expect(after.stderr).toContain("I was started");
  });

  test("cannot go back to what was approved before [launch.superseded]", async ({ place }) => {
    await approved(place, serving(place, "pkg@1.2.3"));
    await visit(place, serving(place, "pkg@1.2.4"));
    await approve(place, "raw");
    expect((await visit(place, serving(place, "pkg@1.2.3"))).error?.data).toMatchObject({ reason: "LAUNCH_CHANGED" });
    expect((await visit(place, serving(place, "pkg@1.2.4"))).tools).toEqual(["a", "b"]);
  });

  test("is the same with another token, and the ledger holds none [launch.secrets]", async ({ place }) => {
    const secrets = ["hunter2-first", "hunter2-second", "ghp_0123456789abcdefABCDEF0123456789abcd", "passw0rd-in-url"];
    const withTokens = (one: string, other: string) =>
      serving(
        place,
        `--token=${one}`,
        "--api-key",
        other,
        "-H",
        `Authorization: Bearer ${one}`,
        `https://u:${other}@h/p`,
      );
    const env = (one: string) => ({ API_TOKEN: one, HTTPS_PROXY: `http://user:${one}@proxy:3128`, NODE_OPTIONS: "" });
    const [first = "", second = "", third = "", fourth = ""] = secrets;
    await approved(place, withTokens(first, second), env(first));
    expect((await visit(place, withTokens(third, fourth), env(fourth))).tools).toEqual(["a", "b"]);
    const bytes = ledgerBytes(place);
    expect(bytes).toMatch(/--token=\$\{SECRET\}/);
    expect(bytes).toContain("@proxy:3128");
    for (const secret of secrets) expect(bytes).not.toContain(secret);
  });

  for (const [name, value] of [
    ["NODE_OPTIONS", "--no-warnings"],
    ["LD_PRELOAD", "/nowhere/x.so"],
    ["API_BASE_URL", "https://elsewhere.example"],
    ["npm_config_registry", "https://elsewhere.example"],
  ] as const) {
    test(`is another one with ${name} [launch.environment]`, async ({ place }) => {
      await approved(place, serving(place));
      // The loader of the test's own Countersign would look for the library; what it says of it is on stderr.
      expect((await visit(place, serving(place), { [name]: value })).error?.data).toMatchObject({
        reason: "LAUNCH_CHANGED",
      });
      const { launch } = await standing(place);
      expect(launch?.reasons[0]?.drift).toMatchObject([{ at: `/environment/${name}`, after: JSON.stringify(value) }]);
      expect((await visit(place, serving(place))).tools).toEqual(["a", "b"]);
    });
  }

  test("is another one where the PATH finds another program, or its link leads elsewhere [launch.executable]", async ({
    place,
  }) => {
    const [node = "", ...args] = serving(place);
    const wrapper = (name: string, note: string) => {
      const path = place.write(name, `#!/bin/sh\n# ${note}\nexec ${node} "$@"\n`);
      chmodSync(path, 0o755);
      return path;
    };
    const one = wrapper("one/serve", "one");
    const other = wrapper("other/serve", "other");
    const path = (folders: string) => ({ PATH: `${folders}:${place.env["PATH"]}` });
    const link = join(place.folder, "linked");
    symlinkSync(one, link);
    const before = path(join(place.folder, "one"));
    await approved(place, ["serve", ...args], before);
    const shadowed = path(`${join(place.folder, "other")}:${join(place.folder, "one")}`);
    expect((await visit(place, ["serve", ...args], shadowed)).error?.data).toMatchObject({ reason: "LAUNCH_CHANGED" });
    // Its content is pinned, not only its place.
    wrapper("one/serve", "another");
    expect((await visit(place, ["serve", ...args], before)).error?.data).toMatchObject({ reason: "LAUNCH_CHANGED" });
    expect((await standing(place)).launch?.reasons[0]?.drift).toMatchObject([{ at: "/executable/digest" }]);

    await visit(place, [link, ...args]);
    await approve(place, "raw");
    expect((await visit(place, [link, ...args])).tools).toEqual(["a", "b"]);
    rmSync(link);
    symlinkSync(other, link);
    expect((await visit(place, [link, ...args])).error?.data).toMatchObject({ reason: "LAUNCH_CHANGED" });
  });

  test("floats where it can change by itself, and that is said [launch.floating]", async ({ place }) => {
    const npx = place.write("bin/npx", `#!/bin/sh\nexec ${serving(place).join(" ")}\n`);
    chmodSync(npx, 0o755);
    const env = { PATH: `${join(place.folder, "bin")}:${place.env["PATH"]}` };
    await visit(place, ["npx", "-y", "pkg"], env);
    expect((await standing(place)).launch?.floating).toEqual(["unpinned-package"]);
    const said = "floating: it fetches a package without an exact version, so it can change by itself";
    expect((await place.countersign("status", "raw")).stdout).toContain(`launch stdio ${said}`);
    await approve(place, "raw");
    expect((await place.countersign("status", "raw")).stdout).toContain(`launch stdio ${said}`);
    const scanned: Ended = await place.countersign("scan", "raw", "--", npx, "-y", "pkg");
    expect(scanned.stdout).toContain(said);
    expect((await visit(place, ["npx", "-y", "pkg@1.2.3"], env)).error?.data).toMatchObject({
      reason: "LAUNCH_CHANGED",
    });
    expect((await standing(place)).launch?.floating).toBeUndefined();
  });

  test("can be rejected and revoked, and then the server is not started [launch.decided-against]", async ({
    place,
  }) => {
    await approved(place, serving(place));
    await visit(place, serving(place, "more"));
    expect((await place.countersign("reject", "raw", "launch", "stdio")).code).toBe(0);
    expect((await visit(place, serving(place, "more"))).error?.data).toMatchObject({ reason: "LAUNCH_CHANGED" });
    const host = place.host(place.guarded("raw", serving(place)));
    await host.initialize();
    expect(toolNames(await host.ask("tools/list"))).toEqual(["a", "b"]);
    expect((await place.countersign("revoke", "raw", "launch", "stdio")).code).toBe(0);
    await host.told("notifications/tools/list_changed");
    expect(toolNames(await host.ask("tools/list"))).toEqual([]);
    expect((await visit(place, serving(place))).error?.data).toMatchObject({ reason: "LAUNCH_CHANGED" });
  });

  test("is one decision for a server that an older ledger has approved [launch.old-ledger]", async ({ place }) => {
    const command = serving(place);
    const server = serverNamed("raw");
    const samples = ["a", "b"].map((name) => sample("tool", name, tool(name)));
    mkdirSync(join(place.folder, "state", "countersign"), { recursive: true });
    const ledger = await openSqlite(join(place.folder, "state", "countersign", "ledger.db"));
    await ledger.record(sighting(server, samples), { texts: samples });
    await ledger.record(approval(server, samples));
    await ledger.close();
    expect((await visit(place, command)).error?.data).toMatchObject({ reason: "LAUNCH_CHANGED" });
    const { launch, waiting, held } = await standing(place);
    expect(launch?.reasons).toEqual([{ gate: "baseline", code: "NO_BASELINE" }]);
    expect({ waiting, held }).toEqual({ waiting: 1, held: 2 });
    await approve(place, "raw");
    expect((await visit(place, command)).tools).toEqual(["a", "b"]);
  });

  test("answers everything with the same error while it is held, and ends by a signal [launch.held]", async ({
    place,
  }) => {
    await approved(place, serving(place));
    const host = place.host(place.guarded("raw", serving(place, "more")));
    for (const method of ["server/discover", "initialize", "tools/list", "no/such"]) {
      expect((await host.ask(method)).error?.data).toMatchObject({ reason: "LAUNCH_CHANGED" });
    }
    host.send("rubbish");
    host.send({ method: "notifications/initialized" });
    await host.until("an answer to rubbish", () => host.messages.find(({ id }) => id === null));
    expect(host.lines).toHaveLength(5);
    host.kill("SIGTERM");
    expect(await host.exit).toEqual({ code: 2, signal: null });
  });
});
