import { describe, expect } from "vitest";
import type { Script } from "./fixtures/raw-server.ts";
import { approve } from "./rig/approve.ts";
import { peakMegabytes } from "./rig/memory.ts";
import type { RawHost } from "./rig/raw-host.ts";
import { answer, hello, scripted, tool } from "./rig/script.ts";
import { test } from "./rig/test.ts";

const linux = process.platform === "linux";
const megabyte = 1024 * 1024;

/** An answer of which most is one text of so many letters. */
function long(before: string, letters: number, after: string) {
  return { head: `{"jsonrpc":"2.0","id":$ID,"result":${before}`, letters, tail: `${after}}` };
}

/** What a server may cost at most, whatever it sends: milliseconds, and megabytes of the guard. */
async function withinBounds(host: RawHost, attack: () => Promise<void>, most = 150): Promise<string> {
  const start = performance.now();
  await attack();
  const milliseconds = performance.now() - start;
  const megabytes = linux ? peakMegabytes(host.pid) : 0;
  expect(milliseconds).toBeLessThan(5_000);
  expect(megabytes).toBeLessThan(most);
  return `${milliseconds.toFixed(0)} ms, ${linux ? megabytes.toFixed(0) : "?"} MB`;
}

const nodes = (count: number) => `[${"0,".repeat(count - 2)}0]`;
const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

/** What is answered to `tools/list`, the reason that the host is told, and the line that the operator is. */
const attacks: readonly (readonly [string, Script["on"], string, string])[] = [
  [
    "a line of 100 MB",
    { "tools/list": [long('{"tools":[],"x":"', 100 * megabyte, '"}')] },
    "TOO_LARGE",
    "refused one message from the server: TOO_LARGE",
  ],
  [
    "a hundred thousand levels",
    { "tools/list": [answer(`{"tools":[],"x":${deep(100_000)}}`)] },
    "TOO_DEEP",
    "refused one message from the server: TOO_DEEP",
  ],
  [
    "a million values",
    { "tools/list": [answer(`{"tools":[],"x":${nodes(1_000_000)}}`)] },
    "TOO_MANY_NODES",
    "refused one message from the server: TOO_MANY_NODES",
  ],
  [
    "endless pages",
    { "tools/list": [answer('{"tools":[],"nextCursor":"$N"}')] },
    "ENDLESS_PAGES",
    "withholds the whole list of tools/list: ENDLESS_PAGES",
  ],
  [
    "endless pages of 10 MB each",
    { "tools/list": [long('{"nextCursor":"$N","tools":[],"x":"', 10 * megabyte, '"}')] },
    "TOO_LARGE",
    "withholds the whole list of tools/list: TOO_LARGE",
  ],
  [
    "endless pages of many values each",
    { "tools/list": [answer(`{"nextCursor":"$N","tools":[],"x":${nodes(250_000)}}`)] },
    "TOO_LARGE",
    "withholds the whole list of tools/list: TOO_LARGE",
  ],
  [
    "a cursor that comes back",
    { "tools/list": [answer(`{"tools":[${tool("a")}],"nextCursor":"same"}`)] },
    "REPEATED_CURSOR",
    "withholds the whole list of tools/list: REPEATED_CURSOR",
  ],
];

describe("a server that sends more than anybody could take", () => {
  for (const [what, on, code, line] of attacks) {
    test(`by ${what} costs little time and memory, is refused by name, and the session lives [frame.bounds]`, async ({
      place,
    }) => {
      const host = place.host(
        place.guarded("raw", scripted(place, { initialize: [hello()], ping: [answer("{}")], ...on })),
      );
      await host.initialize();
      const cost = await withinBounds(host, async () => {
        expect((await host.ask("tools/list")).error?.data).toEqual({ reason: code });
        await host.says(line);
        expect((await host.ask("ping")).error).toBeUndefined();
      });
      console.log(`${what}: ${cost}`);
    });
  }

  test("by a handshake of 10 MB is refused by name, and costs no more [frame.bounds]", async ({ place }) => {
    const command = scripted(place, {
      initialize: [long('{"protocolVersion":"2025-11-25","capabilities":{},"instructions":"', 10 * megabyte, '"}')],
      ping: [answer("{}")],
    });
    const host = place.host(place.guarded("raw", command));
    const cost = await withinBounds(host, async () => {
      expect((await host.initialize()).error?.message).toBe("Countersign withholds this server: TOO_LARGE");
      expect((await host.ask("ping")).error).toBeUndefined();
    });
    console.log(`a handshake of 10 MB: ${cost}`);
  });

  test("by the most that is read and passed on costs little more [frame.bounds]", async ({ place }) => {
    const command = scripted(place, {
      initialize: [hello("tools")],
      "tools/list": [answer(`{"tools":[${tool("a")}]}`)],
      "tools/call": [long('{"content":[],"y":"\u4e2d","x":"', 16 * megabyte - 1_000, '"}')],
      "tools/call#2": [{ ...long('{"content":[],"x":0', 16 * megabyte - 1_000, "}"), of: "\r" }],
      "tools/call#3": [answer(`{"content":[],"x":${nodes(399_000)}}`)],
      "prompts/list": [long('{"prompts":[],"y":"\u4e2d","x":"', 2 * megabyte - 100, '"}')],
      "resources/list": [answer(`{"resources":[],"x":${nodes(130_000)}}`)],
    });
    const first = place.host(place.guarded("raw", command));
    await first.initialize();
    await first.end();
    await approve(place, "raw");
    for (const uses of [["tools/call", "tools/call", "tools/call"], ["prompts/list"], ["resources/list"]]) {
      const host = place.host(place.guarded("raw", command));
      await host.initialize();
      const cost = await withinBounds(
        host,
        async () => {
          for (const method of uses) {
            expect((await host.ask(method, method === "tools/call" ? { name: "a" } : {})).error).toBeUndefined();
          }
        },
        200,
      );
      console.log(`the most that is read of ${uses[0]}: ${cost}`);
    }
  });
});

describe("a host that sends more than anybody could take", () => {
  test("in a line of 100 MB costs little time and memory, is told so, and the session lives [frame.bounds]", async ({
    place,
  }) => {
    const command = scripted(place, { initialize: [hello()], ping: [answer("{}")] });
    const host = place.host(place.guarded("raw", command));
    await host.initialize();
    const cost = await withinBounds(host, async () => {
      host.send(`{"jsonrpc":"2.0","id":9,"method":"ping","params":{"x":"${"x".repeat(100 * megabyte)}"}}`);
      expect((await host.answerTo(9)).error?.message).toBe("Countersign refused this message: TOO_LARGE");
      host.send(`{"jsonrpc":"2.0","id":10,"method":"ping","params":{"x":${deep(100_000)}}}`);
      expect((await host.answerTo(10)).error?.message).toBe("Countersign refused this message: TOO_DEEP");
      await host.says("refused one message from the host: TOO_LARGE");
      expect((await host.ask("ping")).error).toBeUndefined();
    });
    console.log(`a line of 100 MB from the host: ${cost}`);
  });
});
