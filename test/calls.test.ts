import { describe, expect } from "vitest";
import type { Definitions } from "./fixtures/both-eras-definitions.ts";
import { approve } from "./rig/approve.ts";
import { eventually } from "./rig/eventually.ts";
import { installed, type Place } from "./rig/place.ts";
import { connect, modes, type SdkHost } from "./rig/sdk-host.ts";
import { approveStation, type Station, stationIn } from "./rig/station.ts";
import { test } from "./rig/test.ts";

type Mode = (typeof modes)[number];

describe("a call", { concurrent: true }, () => {
  for (const mode of modes) {
    test(`is refused where its arguments are not what was approved, by ${mode} [gate.arguments] [gate.closed]`, async ({
      place,
    }) => {
      const station = stationIn(place);
      station.offer(openForecast);
      await approveSeen(place, station);
      await hosted(station, mode, async (host) => {
        await host.call("forecast", { station: "abc", when: { day: "2026-07-28" } });
        await expect(host.call("forecast", {})).rejects.toThrow(
          "Countersign refuses this call: ARGUMENTS, required at /station",
        );
        await expect(host.call("forecast", { station: 7 })).rejects.toThrow("ARGUMENTS, type at /station");
        await expect(host.call("forecast", { station: "abc", when: { hour: 1 } })).rejects.toThrow("ARGUMENTS");
        // The schema says nothing about others, so nobody has approved that there are any.
        await expect(host.call("forecast", { station: "abc", conversation: "all of it" })).rejects.toThrow(
          "ARGUMENTS, undeclared at /conversation",
        );
      });
    });

    test(`is refused outside of what the operator narrowed it to, and the value is not told, by ${mode} [gate.narrow]`, async ({
      place,
    }) => {
      const station = stationIn(place);
      await approveSeen(place, station);
      configure(place, {
        definitions: { "tool forecast": { narrow: { properties: { station: { enum: ["abc"] } } } } },
      });
      await hosted(station, mode, async (host) => {
        await host.call("forecast", { station: "abc" });
        const error = await host.call("forecast", { station: "hunter2" }).catch(String);
        expect(error).toContain("Countersign refuses this call: NARROWED, enum at /station");
        expect(error).not.toContain("hunter2");
      });
    });

    test(`is refused for a tool that is no longer what this host was shown, by ${mode} [gate.stale]`, async ({
      place,
    }) => {
      const station = stationIn(place);
      await approveSeen(place, station);
      await hosted(station, mode, async (host) => {
        await host.tools();
        await host.call("forecast", { station: "abc" });
        station.offer(({ tools }) => Object.assign(tools[0] ?? {}, { description: "Another text." }));
        const changed = () => host.toolsChanged() > 0;
        await eventually(5_000, changed);
        await expect(host.call("forecast", { station: "abc" })).rejects.toThrow("DESCRIPTION_MUTATION");
        // Approved meanwhile by somebody who saw the new text; this host means the old one.
        await approve(place, "station");
        await expect(host.call("forecast", { station: "abc" })).rejects.toThrow("NOT_AS_SHOWN");
        await host.tools();
        await host.call("forecast", { station: "abc" });
      });
    });

    test(`is refused for what the list of allowed definitions leaves out, by ${mode} [gate.only]`, async ({
      place,
    }) => {
      const station = stationIn(place);
      await approveSeen(place, station);
      configure(place, { only: ["tool forecast"] });
      await hosted(station, mode, async (host) => {
        expect(await host.tools()).toEqual(["forecast"]);
        expect(await host.prompts()).toEqual([]);
        await host.call("forecast", { station: "abc" });
        await expect(host.call("stations", {})).rejects.toThrow("NOT_ALLOWED");
        await expect(host.prompt("summary", {})).rejects.toThrow("NOT_ALLOWED");
      });
    });
  }

  test("may have undeclared arguments where the config says so [gate.closed]", async ({ place }) => {
    const station = stationIn(place);
    station.offer(openForecast);
    await approveSeen(place, station);
    configure(place, { undeclared: "pass" });
    await hosted(station, "v1", async (host) => {
      await host.call("forecast", { station: "abc", conversation: "all of it" });
      await expect(host.call("forecast", {})).rejects.toThrow("ARGUMENTS");
    });
  });

  test("stays below a folder, whatever its path is spelled like [gate.path-under]", async ({ place }) => {
    const notes = place.write("notes/one.txt", "one");
    place.write("secret.txt", "two");
    const folder = notes.slice(0, notes.lastIndexOf("/"));
    const command = place.guarded("files", installed("mcp-server-filesystem", place.folder));
    const files = { command, env: place.env };
    await hosted(files, "v1", (host) => host.tools());
    await approve(place, "files");
    configure(
      place,
      { definitions: { "tool read_text_file": { narrow: { properties: { path: { pathUnder: folder } } } } } },
      "files",
    );
    await hosted(files, "v1", async (host) => {
      expect(JSON.stringify(await host.call("read_text_file", { path: notes }))).toContain("one");
      for (const [path, rule] of [
        [`${folder}/../secret.txt`, "outside"],
        [`${folder}/%2e%2e/secret.txt`, "encoded"],
        [`${folder}/..\u2215secret.txt`, "look-alike"],
        [`${folder}\0/../../secret.txt`, "control"],
        ["notes/one.txt", "relative"],
        [`${folder}-other/x`, "outside"],
      ]) {
        await expect(host.call("read_text_file", { path }), path).rejects.toThrow(`NARROWED, ${rule} at /path`);
      }
      // Without the argument there is nothing to stay below.
      await expect(host.call("read_text_file", {})).rejects.toThrow("ARGUMENTS, required at /path");
    });
  });

  test("tells no name that looks like a secret [gate.secrets]", async ({ place }) => {
    const station = stationIn(place);
    await approveStation(place, station);
    const host = station.host();
    await host.initialize();
    const key = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2)}`;
    const { error } = await host.ask("tools/call", { name: "stations", arguments: { [key]: 1 } });
    expect(error?.data).toMatchObject({ reason: "ARGUMENTS" });
    for (const line of [JSON.stringify(error), host.stderr]) expect(line).not.toContain(key);
  });

  test("gives nothing back that does not hold to the approved output schema, where the config says so [gate.results]", async ({
    place,
  }) => {
    const station = stationIn(place);
    station.offer((definitions) => {
      const schema = { type: "object", properties: { celsius: { type: "string" } } };
      Object.assign(definitions.tools[0] ?? {}, { outputSchema: schema });
    });
    await approveStation(place, station);
    const call = async () => {
      const host = station.host();
      await host.initialize();
      return host.ask("tools/call", { name: "forecast", arguments: { station: "abc" } });
    };
    expect((await call()).result?.["structuredContent"]).toEqual({ celsius: 21.5 });
    configure(place, { results: "check" });
    const { result, error } = await call();
    expect(result).toBeUndefined();
    expect(error).toMatchObject({
      message: "Countersign refused the server's answer: RESULT, type at /celsius",
      data: { reason: "RESULT", rules: [{ rule: "type", at: "/celsius" }] },
    });
  });

  test("waits for a config that means something: a misspelt keyword narrows nothing [gate.narrow]", async ({
    place,
  }) => {
    configure(place, { definitions: { "tool forecast": { narrow: { properties: { path: { pathUndr: "/srv" } } } } } });
    const { code, stderr } = await place.countersign("status", "station");
    expect(code).toBe(3);
    expect(stderr).toContain("unknown-keyword at /properties/path/pathUndr");
  });

  test("is refused where what the operator narrowed cannot be meant for this tool [gate.narrow]", async ({ place }) => {
    const station = stationIn(place);
    await approveStation(place, station);
    configure(place, { definitions: { "tool forecast": { narrow: { properties: { staton: { enum: ["abc"] } } } } } });
    const host = station.host();
    await host.initialize();
    const { error } = await host.ask("tools/call", { name: "forecast", arguments: { station: "abc" } });
    expect(error?.data).toMatchObject({ reason: "NARROW_UNFIT" });
  });
});

/** Open by absence: the root says nothing about arguments that it does not declare. */
function openForecast({ tools: [forecast] }: Definitions): void {
  const schema = forecast?.["inputSchema"] as Record<string, unknown>;
  delete schema["additionalProperties"];
}

function configure(place: Place, settings: object, server = "station"): void {
  place.write("config/countersign/countersign.jsonc", { servers: { [server]: settings } });
}

async function approveSeen(place: Place, station: Station): Promise<void> {
  for (const mode of ["v1", "v2 pin"] as const) await hosted(station, mode, (host) => host.tools());
  await approve(place, "station");
}

async function hosted<T>(
  { command, env }: Pick<Station, "command" | "env">,
  mode: Mode,
  use: (host: SdkHost) => Promise<T>,
): Promise<T> {
  const host = await connect({ mode, command, env, capable: false });
  try {
    return await use(host);
  } finally {
    await host.close();
  }
}
