import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { definitions } from "./fixtures/both-eras-definitions.ts";
import { approve } from "./rig/approve.ts";
import { fixture, installed, openPlace, type Place } from "./rig/place.ts";
import { isGuards, type Recording, recordingsOf, sorted } from "./rig/recording.ts";
import { connect, type Mode, modes, type SdkHost } from "./rig/sdk-host.ts";

/** A server, what a host does with it beside listing everything, and the eras that it speaks. */
interface Subject {
  readonly name: string;
  readonly command: (place: Place) => readonly string[];
  readonly modern: boolean;
  readonly use: (host: SdkHost, capable: boolean) => Promise<void>;
}

const subjects: readonly Subject[] = [
  {
    name: "everything",
    command: () => installed("mcp-server-everything"),
    modern: false,
    async use(host, capable) {
      await host.call("echo", { message: "caf\u00e9, \u{1f600}, \\, \u0000" });
      await host.call("get-sum", { a: 1.5, b: 2 });
      let steps = 0;
      await host.call("trigger-long-running-operation", { duration: 0.4, steps: 4 }, () => {
        steps++;
      });
      expect(steps).toBeGreaterThan(0);
      await host.call("get-structured-content", { location: "Chicago" });
      if (capable) await host.call("get-roots-list", {});
      if (capable) await host.call("trigger-elicitation-request", {});
      await host.prompt("simple-prompt", {});
      const [resource] = await host.resources();
      await host.read(resource ?? "");
      await host.read("demo://resource/dynamic/text/1");
    },
  },
  {
    name: "filesystem",
    command: ({ folder }) => installed("mcp-server-filesystem", folder),
    modern: false,
    async use(host) {
      await host.call("list_allowed_directories", {});
      await host.call("read_text_file", { path: "/nowhere" });
    },
  },
  {
    name: "memory",
    command: () => installed("mcp-server-memory"),
    modern: false,
    async use(host) {
      await host.call("create_entities", { entities: [{ name: "a", entityType: "b", observations: ["c"] }] });
      await host.call("read_graph", {});
    },
  },
  {
    name: "sequential-thinking",
    command: () => installed("mcp-server-sequential-thinking"),
    modern: false,
    async use(host) {
      const thought = { thought: "one", nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };
      await host.call("sequentialthinking", thought);
    },
  },
  {
    name: "both-eras",
    command: () => fixture("both-eras-server.ts"),
    modern: true,
    async use(host) {
      await host.call("forecast", { station: "abc" });
      await host.call("calibrate", { instrument: "barometer" });
      await host.prompt("report", { station: "abc" });
      await host.read("station://abc");
      await host.read("history://abc/2026-07-28");
    },
  },
];

describe.for(subjects)(
  "countersign run in front of the $name server",
  { concurrent: true },
  ({ name, command, modern, use }) => {
    let place: Place;
    let environment: Readonly<Record<string, string>>;

    /** The server behind a tee, by the same words in every session. */
    const teed = () => fixture("tee.ts", "-", "--", ...command(place));

    /** One session of a host, with a tee on each side of the guard. */
    async function session(
      mode: Mode,
      capable: boolean,
    ): Promise<{ recordings: readonly Recording[]; failure?: string }> {
      const folder = join(place.folder, "tees", `${mode} ${capable}`);
      const [hostSide, serverSide] = [join(folder, "host"), join(folder, "server")];
      const guarded = fixture("tee.ts", hostSide, "--", ...place.guarded(name, teed()));
      const failure = await talk(mode, capable, guarded, { TEE_FOLDER: serverSide });
      return { recordings: recordingsOf(hostSide, serverSide), ...(failure === undefined ? {} : { failure }) };
    }

    /** Resolves to what the SDK says where it cannot connect. */
    async function talk(
      mode: Mode,
      capable: boolean,
      line: readonly string[],
      more: Readonly<Record<string, string>> = {},
    ): Promise<string | undefined> {
      const opening = connect({ mode, command: line, env: { ...environment, ...more }, capable });
      if (mode === "v2 pin" && !modern) {
        return opening.then(
          () => "connected",
          (error: Error) => `${error.name}: ${error.message}`,
        );
      }
      const host = await opening;
      if (host.declares.has("tools")) await host.tools();
      if (host.declares.has("prompts")) await host.prompts();
      if (host.declares.has("resources")) await host.resources();
      if (host.declares.has("resources")) await host.templates();
      await use(host, capable);
      await host.close();
      return undefined;
    }

    beforeAll(async () => {
      place = openPlace();
      const beside = { "tools/list": { ttlMs: 86_400_000, cacheScope: "public" } };
      environment = {
        ...place.env,
        MEMORY_FILE_PATH: join(place.folder, "memory.jsonl"),
        BOTH_ERAS_DEFINITIONS: place.write("definitions.json", { ...definitions, beside }),
      };
      for (const mode of modern ? (["v1", "v2 pin"] as const) : (["v1"] as const)) {
        const host = await connect({
          mode,
          command: place.guarded(name, teed()),
          env: { ...environment, TEE_FOLDER: join(place.folder, "tees", `first ${mode}`) },
          capable: true,
        });
        expect(host.serverName).toBe(name);
        await host.close();
      }
      await approve(place, name);
    });

    afterAll(() => place.close());

    for (const mode of modes) {
      for (const capable of name === "everything" ? [true, false] : [true]) {
        if (mode === "v2 pin" && !modern) continue;
        test(`gives a host (${mode}, ${capable ? "all capabilities" : "no capabilities"}) every message as it was sent, but for who asks and how long it may keep definitions [transparency.bytes]`, async () => {
          const { recordings } = await session(mode, capable);
          expect(recordings).toHaveLength(mode === "v2 auto" || mode === "v2 pin" ? 2 : 1);
          for (const { fromServer, toHost, fromHost, toServer } of recordings) {
            const sent = sorted(fromServer.filter((line) => !isGuards(line)));
            const received = sorted(toHost);
            const definitionsOf = new Set(fromHost.filter(asksForDefinitions).map(idOf));
            const expected = [...sent.answers].map(([id, line]) => [id, definitionsOf.has(id) ? uncached(line) : line]);
            expect(Object.fromEntries(received.answers)).toEqual(Object.fromEntries(expected));
            expect(received.others).toEqual(sent.others.map((line) => named(line, name)));
            // Each request of the host was answered by the server, so nothing in the comparison was answered by the guard.
            expect(toServer.filter((line) => !isGuards(line) && !isReadiness(line))).toEqual(
              fromHost.filter((line) => !isReadiness(line)),
            );
          }
          const answers = recordings.flatMap(({ toHost }) => [...sorted(toHost).answers]);
          expect(answers.length).toBeGreaterThan(2);
          const asked = recordings.flatMap(({ toHost }) => toHost.filter((line) => line.includes(markOf(name))));
          expect(asked).toHaveLength(name === "everything" && capable ? 1 : 0);
          if (mode === "v2 pin") {
            const kept = recordings.flatMap(({ fromServer }) => fromServer.filter((line) => line.includes(maxAge)));
            expect(kept.length).toBeGreaterThan(1);
          }
        });
      }
    }

    // These servers know no era but the older one, so there is nothing to be pinned; the guard must not change that.
    if (!modern)
      test("fails for a host that is pinned to 2026-07-28 just as the server does [transparency.pin]", async () => {
        const { failure, recordings } = await session("v2 pin", true);
        expect(failure).toBe(await talk("v2 pin", true, command(place)));
        expect(failure).not.toBe("connected");
        for (const { fromServer, toHost } of recordings) expect(toHost).toEqual(fromServer);
      });
  },
);

/**
 * Named exception on the way to the host: the message of an elicitation begins with the operator's name of the server. Lines
 * are of latin-1, one character a byte.
 */
function named(line: string, server: string): string {
  if (!line.includes('"method":"elicitation/create"')) return line;
  return line.replace('"message":"', `"message":"${markOf(server)}`);
}

function markOf(server: string): string {
  return Buffer.from(`⟦server ${server} asks⟧ `, "utf8").toString("latin1");
}

const maxAge = '"ttlMs":86400000';

/** Named exception on the way to the host: these two values of a message that carries definitions, and nothing beside them. */
function uncached(line: string): string {
  return line.replace(maxAge, '"ttlMs":0').replace('"cacheScope":"public"', '"cacheScope":"private"');
}

function asksForDefinitions(line: string): boolean {
  const { method } = JSON.parse(line) as { method?: string };
  return method === "initialize" || method === "server/discover" || (method?.endsWith("/list") ?? false);
}

function idOf(line: string): string {
  return JSON.stringify((JSON.parse(line) as { id?: unknown }).id);
}

/** Named exception on the way to the server: the guard itself says that the host is ready, before the host does. */
function isReadiness(line: string): boolean {
  return (
    line === '{"jsonrpc":"2.0","method":"notifications/initialized"}' || line.includes('"notifications/initialized"')
  );
}
