import { asServerName, canonicalize, type Offer, readOffer, type ServerName } from "@countersign/core";
import { describe, expect, test } from "vitest";
import { readFrame } from "./frame.ts";
import { Repeats } from "./repeats.ts";
import type { ResultFrame } from "./serve.ts";

const server = asServerName("notes") as ServerName;
const list = '{"tools":[{"name":"read","description":"Reads one.","inputSchema":{"type":"object"}}]}';
const known = line("7");

function line(id: string, result = list): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
}

function frameOf(text: string): ResultFrame {
  const reading = readFrame(Buffer.from(text));
  if (reading.is !== "frame" || reading.frame.is !== "result") throw new RangeError(text);
  return reading.frame;
}

function offerOf(frame: ResultFrame): Offer {
  const reading = readOffer(server, "tools/list", [frame.page]);
  if (reading.is === "refused") throw new RangeError(reading.because.code);
  return reading.offer;
}

function remembering(...texts: readonly string[]): Repeats {
  const repeats = new Repeats();
  const frames = texts.map(frameOf);
  const first = frames[0];
  if (first !== undefined) repeats.remember("tools/list", frames, offerOf(first));
  return repeats;
}

describe("a known answer", () => {
  test.each(["7", "0", "8", "123456789012345", '"countersign-0af3:12"', '"a"'])(
    "is known under the id %s [memo.id]",
    (id) => {
      const repeats = remembering(known);
      const frame = repeats.read(Buffer.from(line(id)));
      expect(frame).toMatchObject({ is: "result", text: line(id), id: { key: id, text: id, start: 22 } });
      expect(frame?.bytes?.toString()).toBe(line(id));
      expect(repeats.offerOf("tools/list", frame === undefined ? [] : [frame])?.definitions).toHaveLength(1);
    },
  );

  test("is known wherever its id stands [memo.id]", () => {
    const behind = `{"result":${list}, "id" : 7 ,"jsonrpc":"2.0"}`;
    const frame = remembering(behind).read(Buffer.from(behind.replace(": 7 ,", ": 41 ,")));
    expect(frame).toMatchObject({ text: behind.replace(": 7 ,", ": 41 ,"), id: { key: "41" } });
  });

  test.each([
    ...["01", "-1", "1.0", "1e0", "null", "true", "", " 8", "8 ", '""', '"\\u0061"', '"\u2028"', '"a b"', "[]", "{}"],
    ...['8,"id":9', '8,"Id":9', '8,"method":"ping"', '"a","x":"b"', "1234567890123456", `"${"a".repeat(129)}"`],
  ])("is left to the parser under the id %j [memo.id]", (id) => {
    expect(remembering(known).read(Buffer.from(line(id)))).toBeUndefined();
  });

  test("is another one by any byte that is not its id's, and is never read as anything that the parser would not read [memo.byte]", () => {
    const repeats = remembering(known);
    const at = known.indexOf("7");
    const bytes = Buffer.from(known);
    for (let index = 0; index < bytes.length; index++) {
      for (const byte of [
        0x00,
        0x20,
        0x22,
        0x2c,
        0x30,
        0x39,
        0x5c,
        0x7d,
        0x80,
        0xff,
        (bytes[index] ?? 0) ^ 1,
        (bytes[index] ?? 0) ^ 32,
      ]) {
        const changed = Buffer.from(bytes);
        changed[index] = byte;
        if (changed.equals(bytes)) continue;
        const frame = repeats.read(changed);
        if (index !== at) expect(frame, `${index}: ${byte}`).toBeUndefined();
        else if (frame !== undefined) expect(readsAs(frame)).toEqual(readsAs(frameOf(changed.toString())));
      }
      const shorter = Buffer.concat([bytes.subarray(0, index), bytes.subarray(index + 1)]);
      const longer = Buffer.concat([bytes.subarray(0, index), Buffer.from("9"), bytes.subarray(index)]);
      for (const one of [shorter, longer]) {
        const frame = repeats.read(one);
        if (frame !== undefined) expect(readsAs(frame)).toEqual(readsAs(frameOf(one.toString())));
      }
    }
  });

  test("is not passed as bytes where another reader would see two lines [memo.lines]", () => {
    const two = line("7", '{"tools":[{"name":"read","description":"a\u2028b","inputSchema":{"type":"object"}}]}');
    const frame = remembering(two).read(Buffer.from(two));
    expect(frame?.text).toBe(two);
    expect(frame?.bytes).toBeUndefined();
  });
});

test("a list of other pages, or of the same in another order, is not the list that is known [memo.pages]", () => {
  const [one, other] = [line("1"), line("2", '{"tools":[]}')];
  const repeats = remembering(one, other);
  const read = (text: string) => repeats.read(Buffer.from(text)) ?? expect.unreachable();
  const [first, second] = [read(one), read(other)];
  expect(repeats.offerOf("tools/list", [first, second])).toBeDefined();
  expect(repeats.offerOf("tools/list", [second, first])).toBeUndefined();
  expect(repeats.offerOf("tools/list", [first])).toBeUndefined();
  expect(repeats.offerOf("tools/list", [first, second, second])).toBeUndefined();
  expect(repeats.offerOf("prompts/list", [first, second])).toBeUndefined();
});

function readsAs({ id, text, page }: ResultFrame) {
  return { key: id.key, spelled: id.text, start: id.start, text, result: canonicalize(page.result) };
}
