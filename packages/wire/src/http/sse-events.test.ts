import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type SseData, type SseEvent, SseReader } from "./sse-events.ts";

type Heard =
  | { readonly event: string; readonly data: string; readonly id: string }
  | { readonly tooLong: number }
  | { readonly retry: number }
  | { readonly primed: string }
  | { readonly cutOff: string };

/** @param held from how many bytes on data are taken as they come; none are where it is left out */
function heard(pieces: readonly (string | Buffer)[], most = 1_000, held?: number): readonly Heard[] {
  const all: Heard[] = [];
  const asItComes = (): SseData => {
    let data = "";
    return {
      push: (bytes) => {
        data += bytes.toString("latin1");
      },
      end: (event) =>
        all.push(event === undefined ? { cutOff: data } : { ...event, data: Buffer.from(data, "latin1").toString() }),
    };
  };
  const reader = new SseReader(
    most,
    {
      event: ({ event, data, id }: SseEvent) => all.push({ event, data: data.toString(), id }),
      primed: (primed) => all.push({ primed }),
      tooLong: (ends) => all.push({ tooLong: ends.length }),
      retry: (retry) => all.push({ retry }),
      ...(held === undefined ? {} : { large: asItComes }),
    },
    held,
  );
  for (const piece of pieces) reader.push(Buffer.from(piece as string));
  reader.end();
  return all;
}

const message = (data: string, id = "") => ({ event: "message", data, id });

describe("SseReader", () => {
  test("reads events, whichever way their lines end", () => {
    for (const end of ["\n", "\r", "\r\n"]) {
      const text = ["data: a", "data:b", "data", "", ": a comment", "event: end", "id: 7", "data:  c", "", ""].join(
        end,
      );
      expect(heard([text])).toEqual([message("a\nb\n"), { event: "end", data: " c", id: "7" }]);
    }
  });

  test("keeps the last id, and takes none that holds NUL", () => {
    expect(heard(["id: 1\ndata: a\n\nid: 2\0\ndata: b\n\nid\ndata: c\n\n"])).toEqual([
      message("a", "1"),
      message("b", "1"),
      message("c"),
    ]);
  });

  test("takes no event without data, and none that nothing ends", () => {
    expect(heard(["event: a\nid: 3\n\ndata: b\n"])).toEqual([{ primed: "3" }]);
    expect(heard(["event: a\n\ndata: b\n\n"])).toEqual([message("b")]);
  });

  test("leaves a byte order mark out, at the start and nowhere else", () => {
    expect(heard(["\uFEFFdata: a\n\n\uFEFFdata: b\n\n"])).toEqual([message("a")]);
  });

  test("hears when to come again, and no other number", () => {
    expect(heard(["retry: 1500\nretry: 1e3\nretry: -1\nretry:\n\n"])).toEqual([{ retry: 1_500 }]);
  });

  test("holds nothing that is longer than it may be, and reads on after it", () => {
    const long = `data: ${"x".repeat(20_000)}`;
    expect(heard([`${long}\n\ndata: a\n\n`])).toEqual([{ tooLong: 8_192 }, message("a")]);
    expect(heard([`${"data: y\n".repeat(5_000)}\ndata: a\n\n`])).toEqual([
      { tooLong: expect.any(Number) },
      message("a"),
    ]);
    expect(heard([`: ${"x".repeat(20_000)}\ndata: a\n\n`])).toEqual([{ tooLong: expect.any(Number) }]);
  });

  test("means the same, in whatever pieces it comes", () => {
    const line = fc.oneof(
      fc.constantFrom("data", "data:", "data: {}", "id: 1", "id", "event: x", ":", ": c", "retry: 10", "", "x: y"),
      fc.string({ maxLength: 12 }).map((text) => `data: ${text.replace(/[\r\n]/g, "")}`),
    );
    const stream = fc.array(fc.tuple(line, fc.constantFrom("\n", "\r", "\r\n")), { maxLength: 30 });
    fc.assert(
      fc.property(stream, fc.infiniteStream(fc.integer({ min: 1, max: 7 })), (lines, sizes) => {
        const bytes = Buffer.from(lines.flat().join(""));
        const pieces: Buffer[] = [];
        for (let from = 0; from < bytes.length; ) {
          const size = sizes.next().value as number;
          pieces.push(bytes.subarray(from, from + size));
          from += size;
        }
        expect(heard(pieces)).toEqual(heard([bytes]));
        // Data that are taken as they come are the same data.
        expect(heard(pieces, 1_000, 4)).toEqual(
          heard([bytes]).concat(heard(pieces, 1_000, 4).filter((one) => "cutOff" in one)),
        );
        expect(heard([bytes], 1_000, 4)).toEqual(heard(pieces, 1_000, 4));
      }),
    );
  });

  test("gives data that are too long to hold to whoever takes them, without a bound", () => {
    const long = "x".repeat(5_000);
    expect(heard([`id: 1\ndata: ${long}\ndata:${long}\ndata\nid: 2\n\ndata: a\n\n`], 1_000, 100)).toEqual([
      message(`${long}\n${long}\n`, "2"),
      message("a", "2"),
    ]);
    expect(heard([`\uFEFFdata: ${long}\n\n`], 1_000, 100)).toEqual([message(long)]);
  });

  test("says when such data are not all, or turn out to be no message", () => {
    const long = "x".repeat(500);
    expect(heard([`data: ${long}\n`], 1_000, 100)).toEqual([{ cutOff: long }]);
    expect(heard([`data: ${long}\nevent: other\n\n`], 1_000, 100)).toEqual([{ event: "other", data: long, id: "" }]);
    expect(heard([`data: ${long}\n: ${"y".repeat(9_000)}\n\n`], 1_000, 100)).toEqual([
      { cutOff: long },
      { tooLong: expect.any(Number) },
    ]);
  });
});
