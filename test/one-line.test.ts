import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { approve } from "./rig/approve.ts";
import { lineReaders, linesTo } from "./rig/line-readers.ts";
import { fixture, type Place } from "./rig/place.ts";
import { answer, hello, scripted, tool } from "./rig/script.ts";
import { test } from "./rig/test.ts";

const smuggled = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"smuggled"}}';
const separators = ["\r", "\u0085", "\u2028", "\u2029"];

/** A value that has a whole message on a line of its own, to whoever ends lines at this. */
function hiding(end: string): string {
  // Within JSON, CR is white space; the others may only stand in strings.
  return end === "\r" ? `${end}${smuggled}${end}` : `"${end}${smuggled.replaceAll('"', '\\"')}${end}"`;
}

const takes = tool("a").replace('"properties":{}', '"properties":{"x":{},"y":{}}');
const tools = `{"tools":[${takes},{"name":"b",\r"description":"one\u2028two\u2029three\u0085four",\r"inputSchema":{"type":"object","additionalProperties":false}}]}`;

/** Everything that may go out of an approved server: an answer, an error, a notification, a request. */
const sent = [
  ...separators.map((end) => `{"jsonrpc":"2.0","method":"notifications/message","params":{"data":${hiding(end)}}}`),
  ...separators.map(
    (end, index) => `{"jsonrpc":"2.0","id":"s${index}","method":"roots/list","params":{"_meta":{"x":${hiding(end)}}}}`,
  ),
];
const results = separators.map((end) => `{"content":[],"x":${hiding(end)}}`);
const errors = separators.map((end) => `"error":{"code":1,"message":"","data":${hiding(end)}}`);

async function exchange(place: Place) {
  const command = scripted(place, {
    initialize: [hello("tools")],
    "tools/list": [answer(tools)],
    ...Object.fromEntries(results.map((result, index) => [`tools/call#${index + 1}`, [answer(result)]])),
    ...Object.fromEntries(
      errors.map((error, index) => [`tools/call#${index + 5}`, [`{"jsonrpc":"2.0","id":$ID,${error}}`]]),
    ),
    ping: [...sent, answer("{}")],
  });
  const folder = join(place.folder, "tee");
  const guarded = place.guarded("raw", fixture("tee.ts", folder, "--", ...command));
  const first = place.host(guarded, { TEE_SESSION: "first" });
  await first.initialize();
  await first.end();
  await approve(place, "raw", "--acknowledge", "hidden-text");
  const host = place.host(guarded, { TEE_SESSION: "second" });
  return { host, heard: () => readFileSync(join(folder, "second.in"), "utf8") };
}

describe("what goes out", () => {
  test("is one message to real programs that end lines elsewhere than at LF [frame.one-line]", async ({ place }) => {
    const { host, heard } = await exchange(place);
    await host.initialize();
    await host.ask("tools/list");
    for (let call = 0; call < 8; call++) await host.ask("tools/call", { name: "a", arguments: {} });
    await host.ask("ping");
    host.send(
      `{"jsonrpc":"2.0","id":99,"method":"tools/call","params":{"name":"a","arguments":{"x":${hiding("\r")},"y":${hiding("\u2028")}}}}`,
    );
    await host.until("the call at the server", () => (heard().includes('"id":99') ? true : undefined));

    const lines = [...host.lines, ...heard().trimEnd().split("\n")];
    const said = lines.map((line) => JSON.parse(line) as unknown);
    const readers = lineReaders(join(place.folder, "readers"));
    for (const reader of readers) {
      // What is not respelled is three lines to this reader, of which one may be a message.
      const control = reader.ends.map((end) => `{"x":${hiding(end)}}`);
      const read = linesTo(reader, `${[...lines, ...control].join("\n")}\n`);
      expect(
        read.slice(0, lines.length).map((line) => JSON.parse(line) as unknown),
        reader.name,
      ).toEqual(said);
      expect(read, reader.name).toHaveLength(lines.length + 3 * control.length);
    }
    console.log(`one line to: ${readers.map(({ name }) => name).join(", ")}`);
  });
});
