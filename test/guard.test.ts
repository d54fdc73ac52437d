import { describe, expect } from "vitest";
import { definitions } from "./fixtures/both-eras-definitions.ts";
import { approve, offerOf } from "./rig/approve.ts";
import { eventually } from "./rig/eventually.ts";
import { connect } from "./rig/sdk-host.ts";
import { approveStation, stationIn, toolNames, viewOf } from "./rig/station.ts";
import { test } from "./rig/test.ts";

const uses = [
  ["tools/call", { name: "forecast", arguments: { station: "abc" } }, "tool"],
  ["prompts/get", { name: "report", arguments: { station: "abc" } }, "prompt"],
  ["resources/read", { uri: "station://abc" }, "resource"],
  ["resources/read", { uri: "history://abc/2026-07-28" }, "resource"],
  [
    "completion/complete",
    { ref: { type: "ref/prompt", name: "report" }, argument: { name: "station", value: "a" } },
    "prompt",
  ],
] as const;

describe("a server that is seen for the first time", { concurrent: true }, () => {
  test("shows a host nothing of its own, and says how much is withheld [first-sight.withheld] [first-sight.notice]", async ({
    place,
  }) => {
    const host = stationIn(place).host();
    const view = await viewOf(host);
    expect(view).toEqual({
      handshake: {
        protocolVersion: "2025-11-25",
        capabilities: {
          tools: { listChanged: true },
          prompts: { listChanged: true },
          resources: { listChanged: true },
          completions: {},
        },
        serverInfo: { name: "station", version: "0" },
        instructions: "10 definitions of station are withheld; ask the user to review them in Countersign.",
      },
      tools: { tools: [] },
      prompts: { prompts: [] },
      resources: { resources: [] },
      templates: { resourceTemplates: [] },
    });
    await host.says('countersign: station: withholds 10 definitions; run "countersign review"');
  });

  test("cannot be used, and the refusal holds a reason, a review and no words of the server [first-sight.refused] [refusal.words]", async ({
    place,
  }) => {
    const host = stationIn(place).host();
    await host.initialize();
    for (const [method, params, kind] of uses) {
      const { error } = await host.ask(method, params);
      expect(error).toEqual({
        code: -32602,
        message: expect.stringMatching(
          new RegExp(
            `^Countersign withholds this ${kind}: (NO_BASELINE|NOT_OFFERED); ask the user to review cs-[0-9a-f]{12}$`,
          ),
        ),
        data: {
          reason: expect.stringMatching(/^(NO_BASELINE|NOT_OFFERED)$/),
          review: expect.stringMatching(/^cs-[0-9a-f]{12}$/),
          // Its own words, where it has asked for a resource.
          ...(method === "resources/read" ? params : {}),
        },
      });
    }
    const { error: unheard } = await host.ask("tools/call", { name: "never-offered", arguments: {} });
    expect(unheard?.data).toMatchObject({ reason: "NOT_OFFERED" });
    const words = prose(definitions);
    expect(words.length).toBeGreaterThan(12);
    for (const line of host.lines) for (const word of words) expect(line).not.toContain(word);
  });

  test("is shown and used when somebody has approved it [first-sight.approved] [approve.offer]", async ({ place }) => {
    const station = stationIn(place);
    await approveStation(place, station);
    const host = station.host();
    expect(await viewOf(host)).toEqual({
      handshake: {
        protocolVersion: "2025-11-25",
        capabilities: definitions.capabilities,
        serverInfo: definitions.serverInfo,
        instructions: definitions.instructions,
      },
      tools: { tools: definitions.tools },
      prompts: { prompts: definitions.prompts },
      resources: { resources: definitions.resources },
      templates: { resourceTemplates: definitions.resourceTemplates },
    });
    for (const [method, params] of uses) expect((await host.ask(method, params)).error).toBeUndefined();
    const { result } = await host.ask("tools/call", { name: "forecast", arguments: { station: "abc" } });
    expect(result).toEqual({
      content: [{ type: "text", text: '{"celsius":21.5}' }],
      structuredContent: { celsius: 21.5 },
    });
    expect(host.stderr).not.toContain("withholds");
  });

  test("is approved definition by definition [approve.digest]", async ({ place }) => {
    const station = stationIn(place);
    const host = station.host();
    await host.initialize();
    const { stdout } = await place.countersign("status", "station", "--json");
    const report = JSON.parse(stdout) as { servers: { definitions: { name: string; received: string }[] }[] };
    const digestOf = (one: string) => report.servers[0]?.definitions.find(({ name }) => name === one)?.received ?? "";
    expect((await place.countersign("approve", "station", "--digest", digestOf("stations"), "--yes")).code).toBe(0);
    const held = await host.ask("tools/call", { name: "stations", arguments: {} });
    expect(held.error?.data).toMatchObject({ reason: "LAUNCH_CHANGED" });
    expect((await place.countersign("approve", "station", "--digest", digestOf("stdio"), "--yes")).code).toBe(0);
    expect(toolNames(await host.ask("tools/list"))).toEqual(["stations"]);
    expect((await host.ask("tools/call", { name: "stations", arguments: {} })).error).toBeUndefined();
    expect(
      (await host.ask("tools/call", { name: "calibrate", arguments: { instrument: "barometer" } })).error?.data,
    ).toMatchObject({ reason: "NO_BASELINE" });
  });

  test("is approved for a while, and waits again after it [approve.expires]", async ({ place }) => {
    const station = stationIn(place);
    const host = station.host();
    await host.initialize();
    const offer = await offerOf(place, "station");
    const words = ["approve", "station", "--offer", offer, "--yes", "--expires"];
    const { code, stderr } = await place.countersign(...words, "next year");
    expect([code, stderr]).toEqual([3, expect.stringContaining("give a whole number of hours or days")]);
    expect((await place.countersign(...words, "8s")).stdout).toMatch(
      /, until [0-9T:.-]+Z; nothing of it waits any more/,
    );
    const names = async () => toolNames(await host.ask("tools/list"));
    expect(await names()).not.toEqual([]);
    expect(await eventually(10_000, async () => (await names())?.length === 0)).toBeLessThan(10_000);
    expect((await place.countersign("status", "station")).stdout).toContain("EXPIRED");
  });

  test("is not approved by the digest of an offer that has moved [approve.moved]", async ({ place }) => {
    const station = stationIn(place);
    const first = station.host();
    await first.initialize();
    const offer = await offerOf(place, "station");
    station.offer(({ tools }) => tools.pop());
    const second = station.host();
    await second.initialize();
    const { code, stderr } = await place.countersign("approve", "station", "--offer", offer, "--yes");
    expect(code).toBe(2);
    expect(stderr).toContain("nothing was approved");
    expect(toolNames(await second.ask("tools/list"))).toEqual([]);
  });

  test("is approved at once where the config says so and no gate speaks, but a later name is not [config.first-sight]", async ({
    place,
  }) => {
    place.write(
      "config/countersign/countersign.jsonc",
      '{ "servers": { "station": { "firstSight": "approve-clean" } } }',
    );
    const station = stationIn(place);
    const first = station.host();
    expect((await viewOf(first)).tools).toEqual({ tools: definitions.tools });
    expect((await first.ask("prompts/get", { name: "summary" })).error).toBeUndefined();
    station.offer(({ tools }) =>
      tools.push({ name: "late", inputSchema: { type: "object", additionalProperties: false } }),
    );
    const second = station.host();
    expect((await viewOf(second)).tools).toEqual({ tools: definitions.tools });
    expect((await second.ask("tools/call", { name: "late", arguments: {} })).error?.data).toMatchObject({
      reason: "NO_BASELINE",
    });
  });
});

describe("a decision that is made while a host is connected", { concurrent: true }, () => {
  test("reaches it within two seconds: an approval [live.approve]", async ({ place }) => {
    const host = stationIn(place).host();
    await viewOf(host);
    await approve(place, "station");
    const approved = Date.now();
    await host.told("notifications/tools/list_changed");
    await host.told("notifications/prompts/list_changed");
    await host.told("notifications/resources/list_changed");
    expect(Date.now() - approved).toBeLessThan(2_000);
    expect(toolNames(await host.ask("tools/list"))).toEqual(["forecast", "stations", "calibrate"]);
    expect((await host.ask("tools/call", { name: "stations", arguments: {} })).error).toBeUndefined();
  });

  test("reaches it within two seconds: a revocation [live.revoke]", async ({ place }) => {
    const station = stationIn(place);
    await approveStation(place, station);
    const host = station.host();
    await viewOf(host);
    expect((await place.countersign("revoke", "station", "tool", "calibrate")).code).toBe(0);
    const revoked = Date.now();
    const refused = await host.ask("tools/call", { name: "calibrate", arguments: { instrument: "barometer" } });
    expect(refused.error?.data).toMatchObject({ reason: "REVOKED" });
    await host.told("notifications/tools/list_changed");
    expect(Date.now() - revoked).toBeLessThan(2_000);
    expect(toolNames(await host.ask("tools/list"))).toEqual(["forecast", "stations"]);
    expect(host.messages.filter(({ method }) => method !== undefined)).toHaveLength(1);
  });

  test("reaches a host of the newer era on the stream that it listens on [live.modern]", async ({ place }) => {
    const { command, env } = stationIn(place);
    const host = await connect({ mode: "v2 pin", command, env, capable: false });
    expect(await host.tools()).toEqual([]);
    await approve(place, "station");
    expect(await eventually(2_000, () => host.toolsChanged() > 0)).toBeLessThan(2_000);
    expect(host.toolsChanged()).toBe(1);
    expect(await host.tools()).toEqual(["forecast", "stations", "calibrate"]);
    await host.close();
  });
});

describe("a definition that changes while a host is connected", { concurrent: true }, () => {
  test("is refused at the call, when the server says that it changed [call.stale]", async ({ place }) => {
    const station = stationIn(place);
    await approveStation(place, station);
    const host = station.host();
    await viewOf(host);
    station.offer(({ tools }) => {
      if (tools[2]) tools[2]["description"] = "Sets the zero of all instruments.";
    });
    await host.told("notifications/tools/list_changed");
    const swapped = await host.ask("tools/call", { name: "calibrate", arguments: { instrument: "barometer" } });
    expect(swapped.error?.data).toMatchObject({ reason: "DESCRIPTION_MUTATION" });
    const { stdout } = await place.countersign("status", "station", "--json", "--text");
    const report = JSON.parse(stdout) as { servers: { definitions: { name: string; reasons: unknown[] }[] }[] };
    expect(report.servers[0]?.definitions.find(({ name }) => name === "calibrate")?.reasons).toMatchObject([
      {
        code: "DESCRIPTION_MUTATION",
        drift: [
          {
            at: "/description",
            before: '"Sets the zero of one instrument."',
            after: '"Sets the zero of all instruments."',
          },
        ],
      },
    ]);
    expect((await host.ask("tools/call", { name: "stations", arguments: {} })).error).toBeUndefined();
    station.offer(() => undefined);
    const works = async () => {
      const { error } = await host.ask("tools/call", { name: "calibrate", arguments: { instrument: "barometer" } });
      return error === undefined;
    };
    expect(await eventually(3_000, works)).toBeLessThan(3_000);
  });

  test("is refused at the call until the host has seen what was approved [call.shown]", async ({ place }) => {
    const station = stationIn(place);
    await approveStation(place, station);
    const host = station.host();
    await viewOf(host);
    station.offer(({ tools }) => {
      if (tools[1]) tools[1]["description"] = "All stations that ever reported.";
    });
    await host.told("notifications/tools/list_changed");
    // The guard looks by itself, a second later, so that a reviewer can see it though no host asks.
    const waits = async () => (await place.countersign("status", "station")).code === 2;
    expect(await eventually(8_000, waits)).toBeLessThan(8_000);
    await approve(place, "station");
    const unseen = await host.ask("tools/call", { name: "stations", arguments: {} });
    expect(unseen.error?.data).toMatchObject({ reason: "NOT_AS_SHOWN" });
    expect(toolNames(await host.ask("tools/list"))).toEqual(["forecast", "stations", "calibrate"]);
    expect((await host.ask("tools/call", { name: "stations", arguments: {} })).error).toBeUndefined();
  });
});

/** Every text of more than one word. */
function prose(value: unknown): readonly string[] {
  if (typeof value === "string") return value.includes(" ") ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(prose) : [];
}
