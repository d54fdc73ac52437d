import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { approve } from "./rig/approve.ts";
import { peakMegabytes } from "./rig/memory.ts";
import { fixture, type Place } from "./rig/place.ts";
import type { RawHost } from "./rig/raw-host.ts";
import { toolNames } from "./rig/station.ts";
import { test } from "./rig/test.ts";

const linux = process.platform === "linux";

describe("a server that floods", () => {
  test("with a new offer at every list and list_changed every 10 ms harms nobody [flood.session]", async ({
    place,
  }) => {
    const calm = await approvedHost(place, "calm");
    await approvedHost(place, "floods");
    const host = place.host(serverThat(place, "floods", "flood"));
    await host.initialize();
    const latencies: number[] = [];
    for (let list = 0; list < 200; list++) {
      expect(toolNames(await host.ask("tools/list"))).toEqual(["kept"]);
      expect((await host.ask("tools/call", { name: "kept", arguments: {} })).error).toBeUndefined();
      const start = performance.now();
      expect(toolNames(await calm.ask("tools/list"))).toEqual(["kept", "nonce"]);
      expect((await calm.ask("tools/call", { name: "kept", arguments: {} })).error).toBeUndefined();
      latencies.push(performance.now() - start);
    }
    expect((await host.ask("tools/call", { name: "nonce", arguments: {} })).error?.data).toMatchObject({
      reason: "UNSTABLE",
    });
    expect(host.messages.filter(({ method }) => method === "notifications/tools/list_changed").length).toBeGreaterThan(
      20,
    );
    // A list and a call of the other server, while the first floods.
    expect(latencies.sort((a, b) => a - b)[Math.floor(latencies.length * 0.95)]).toBeLessThan(250);
    if (linux) expect(peakMegabytes(host.pid)).toBeLessThan(150);
    const bytes = ledgerBytes(place);
    expect(bytes).toBeLessThan(1_000_000);

    const status = await place.countersign("status", "floods");
    expect(status.code).toBe(2);
    expect(status.stdout).toContain("UNSTABLE, it changes too often to be reviewed");
    const digest = (await place.countersign("status", "floods", "--offer")).stdout.trim();
    const refused = await place.countersign("approve", "floods", "--offer", digest, "--yes");
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("Cannot approve anything of floods: UNSTABLE");
    // Somebody who decides against a part of it can look again at once.
    expect((await place.countersign("reject", "floods", "tool", "nonce")).code).toBe(0);
    expect((await place.countersign("status", "floods")).stdout).not.toContain("UNSTABLE");
    console.log(
      `flood: ledger ${bytes} bytes, guard ${linux ? peakMegabytes(host.pid).toFixed(0) : "?"} MB at most, the other server's list and call ${latencies[100]?.toFixed(1)} ms (median), ${latencies.at(-1)?.toFixed(1)} ms (worst)`,
    );
  });

  test("with 100,000 tools has that list withheld, and the session lives [flood.tools]", async ({ place }) => {
    const calm = await approvedHost(place, "calm");
    const host = place.host(serverThat(place, "many", "many"));
    const start = performance.now();
    await host.initialize();
    const { error } = await host.ask("tools/list");
    expect(error?.data).toEqual({ reason: expect.stringMatching(/^(TOO_MANY_DEFINITIONS|TOO_LARGE|TOO_MANY_NODES)$/) });
    expect(performance.now() - start).toBeLessThan(5_000);
    expect((await host.ask("tools/call", { name: "t1", arguments: {} })).error).toBeDefined();
    expect(toolNames(await calm.ask("tools/list"))).toEqual(["kept", "nonce"]);
    if (linux) {
      console.log(
        `100,000 tools: guard ${peakMegabytes(host.pid).toFixed(0)} MB at most, ${JSON.stringify(error?.data)}`,
      );
      expect(peakMegabytes(host.pid)).toBeLessThan(150);
    }
    expect(ledgerBytes(place)).toBeLessThan(200_000);
  });
});

/** Sees and approves the server while it keeps still. */
async function approvedHost(place: Place, name: string): Promise<RawHost> {
  const host = place.host(serverThat(place, name, "still"));
  await host.initialize();
  await approve(place, name);
  expect(toolNames(await host.ask("tools/list"))).toEqual(["kept", "nonce"]);
  return host;
}

/** The command line of a server that behaves so from its next start on. */
function serverThat(place: Place, name: string, way: "still" | "flood" | "many"): readonly string[] {
  return place.guarded(name, fixture("flooding-server.ts", place.write(`${name}.txt`, way)));
}

function ledgerBytes(place: Place): number {
  const folder = join(place.folder, "state/countersign");
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}
