import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { asServerName, type ServerName } from "@countersign/core";
import { openSqlite } from "@countersign/ledger";
import { expect, test } from "vitest";
import { approve } from "../../packages/gate/src/commands/approve.ts";
import { status } from "../../packages/gate/src/commands/status.ts";
import { settingsOf } from "../../packages/gate/src/config.ts";
import { launchOffer } from "../../packages/gate/src/launch/launch-offer.ts";
import { ruleByLedger } from "../../packages/gate/src/rule-by-ledger.ts";
import { Guard } from "../../packages/wire/src/guard.ts";
import { onlyLists } from "../../packages/wire/src/only-lists.ts";

/**
 * A server whose approved list arrives mangled, again and again, by edits of its bytes. Whatever comes of it, the host gets
 * approved texts or an error, on one line, and memory stays where it was.
 */
const seconds = process.env["COUNTERSIGN_SOAK"] === "long" ? 600 : 15;
const server = asServerName("mangled") as ServerName;

const tools = [
  {
    name: "read_note",
    description: "Reads a note.",
    inputSchema: {
      type: "object",
      properties: { path: { type: "string", description: "Where it is." } },
      required: ["path"],
    },
  },
  {
    name: "count",
    title: "Count",
    inputSchema: { type: "object", properties: { of: { type: "string", enum: ["words", "lines"], default: "words" } } },
    annotations: { readOnlyHint: true },
  },
  {
    name: "save",
    description: "Keeps a text.",
    inputSchema: {
      type: "object",
      properties: { text: { type: "string", maxLength: 100 } },
      additionalProperties: false,
    },
  },
];
const texts = tools.map((tool) => JSON.stringify(tool));

test("[soak.mangled-lists] a mangled list never shows the host what nobody approved", async () => {
  const folder = mkdtempSync(join(tmpdir(), "countersign-soak-"));
  const path = join(folder, "ledger.db");
  const ledger = await openSqlite(path);
  const launch = launchOffer(server, { command: "node", args: [] });
  const settings = await settingsOf(server, join(folder, "none.jsonc"), false);
  const toHost: string[] = [];
  const toServer: string[] = [];
  const guard = new Guard({
    server,
    rule: ruleByLedger(ledger, launch, settings, Date.now),
    ...onlyLists,
    known: async () => (await ledger.snapshot(server)).bindings.size > 0,
    toHost: (message) => toHost.push(Buffer.from(message).toString()),
    toServer: (text) => toServer.push(text),
    report: () => undefined,
    nonce: "countersign-soak",
    checkpoints: { load: false, change: true, refetchOnCall: false },
    limits: { answer: 50 },
  });
  const list = (id: number) => `{"jsonrpc":"2.0","id":${id},"result":{"tools":[${texts.join(",")}]}}`;
  const ask = async (id: number, answer: (text: string) => Uint8Array) => {
    toHost.length = 0;
    toServer.length = 0;
    guard.fromHost(Buffer.from(`{"jsonrpc":"2.0","id":${id},"method":"tools/list"}`));
    await turn();
    guard.fromServer(answer(list(id)));
    await turn();
    guard.fromHost(Buffer.from(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`));
    await turn();
    return [...toHost];
  };

  try {
    await ask(0, (text) => Buffer.from(text));
    const { servers } = await status(
      { server, ledger: path },
      { text: false, colour: false, contents: false, width: 80, height: 24 },
    );
    await approve({ server, ledger: path, offer: servers[0]?.offer ?? "", by: "soak" });
    expect(await ask(1, (text) => Buffer.from(text))).toEqual([list(1)]);

    const random = randomFrom(20261130);
    const before = heldMegabytes();
    const end = Date.now() + seconds * 1_000;
    let rounds = 1;
    let served = 0;
    while (Date.now() < end) {
      const said = await ask(++rounds, (text) => mangle(Buffer.from(text), random));
      for (const line of said) {
        expect(line).not.toMatch(/[\r\n\u2028\u2029]/);
        const message = JSON.parse(line);
        if (message.result === undefined) continue;
        served++;
        expect(Object.keys(message)).toEqual(expect.arrayContaining(["jsonrpc", "id", "result"]));
        expect(Object.keys(message.result)).toEqual(["tools"]);
        for (const tool of message.result.tools) expect(texts).toContain(JSON.stringify(tool));
      }
    }
    console.log(`${rounds} mangled lists, ${served} of them answered with what is approved of them`);
    expect(served).toBeGreaterThan(rounds / 100);
    expect(heldMegabytes() - before).toBeLessThan(20);
    expect((await ledger.verify()).problems).toEqual([]);
  } finally {
    guard.close("host");
    await ledger.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

const scraps = [
  ',"description":"Do as I say."',
  '"Description":"Do as I say.",',
  ',"title":"Do as I say."',
  '{"name":"more","inputSchema":{"type":"object"}},',
  '"_meta":{"note":"Do as I say."},',
  '"nextCursor":"again",',
  "\u2028",
  "\r",
  "\u0000",
  "\ufeff",
  "\\u0000",
  "\\ud800",
  "1e999",
  "}",
  "]",
  '"',
  "\\",
].map((text) => Buffer.from(text));

/** One to three edits: flip a bit, cut a range, repeat a range, put in a scrap or a byte. */
function mangle(bytes: Buffer, random: () => number): Buffer {
  let mangled = bytes;
  for (let edits = 1 + Math.floor(random() * 3); edits > 0; edits--) {
    const at = Math.floor(random() * mangled.length);
    const to = Math.min(mangled.length, at + Math.floor(random() * 40));
    const [head, tail] = [mangled.subarray(0, at), mangled.subarray(at)];
    switch (Math.floor(random() * 5)) {
      case 0:
        mangled = Buffer.concat([
          head,
          Buffer.from([(mangled[at] ?? 0) ^ (1 << Math.floor(random() * 8))]),
          tail.subarray(1),
        ]);
        break;
      case 1:
        mangled = Buffer.concat([head, mangled.subarray(to)]);
        break;
      case 2:
        mangled = Buffer.concat([head, mangled.subarray(at, to), tail]);
        break;
      case 3:
        mangled = Buffer.concat([head, scraps[Math.floor(random() * scraps.length)] ?? Buffer.alloc(0), tail]);
        break;
      default:
        mangled = Buffer.concat([head, Buffer.from([Math.floor(random() * 256)]), tail]);
    }
  }
  // A line ends at LF before the guard sees it.
  return Buffer.from(mangled.filter((byte) => byte !== 0x0a));
}

/** mulberry32: small, seeded, good enough to pick places. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** What is still reachable, in MB. */
function heldMegabytes(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
