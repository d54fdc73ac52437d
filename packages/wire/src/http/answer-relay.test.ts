import { readFileSync } from "node:fs";
import { asServerName, canonicalize, foldedKey, readJson, serverInfoKey } from "@countersign/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readFrame } from "../frame.ts";
import { oneLine } from "../one-line.ts";
import { withKnownServerInfo } from "../serve.ts";
import { uncachedIn } from "../uncached.ts";
import { AnswerRelay, type AnswerRelayOptions, type RelayVerdict } from "./answer-relay.ts";

const server = asServerName("files") ?? expect.unreachable();
const accepted = new Set(['{"name":"known","version":"1"}']);

function relayTo(write: AnswerRelayOptions["write"], limits: AnswerRelayOptions["limits"] = {}): AnswerRelay {
  return new AnswerRelay({ expects: { key: "1" }, hostId: '"host-1"', server, accepted, write, limits });
}

interface Relayed {
  readonly verdict: RelayVerdict;
  readonly text: string;
}

/** All that is written of a message that comes in these pieces. */
function relayed(pieces: readonly Uint8Array[], limits?: AnswerRelayOptions["limits"]): Relayed {
  const written: Buffer[] = [];
  const relay = relayTo((bytes) => written.push(Buffer.from(bytes)) > 0, limits);
  for (const piece of pieces) relay.push(piece);
  const verdict = relay.end(true);
  return { verdict, text: Buffer.concat(written).toString() };
}

const relayedText = (text: string, limits?: AnswerRelayOptions["limits"]) => relayed([Buffer.from(text)], limits);

/** `"complete"`, or why it was cut off. */
function outcomeOf(text: string, limits?: AnswerRelayOptions["limits"]): string {
  const { verdict } = relayedText(text, limits);
  return verdict.is === "cut" ? verdict.code : verdict.is;
}

const head = '{"jsonrpc":"2.0","id":"host-1","result":';

describe("AnswerRelay", () => {
  test.each([
    ["as SDK v1 writes it", '{"result":{"content":[]},"jsonrpc":"2.0","id":1}', '{"content":[]}'],
    ["as others do", '{"jsonrpc":"2.0","id":1,"result":{"content":[]}}', '{"content":[]}'],
    ["with the result in between", '{"id":1.0,"result":{} ,"jsonrpc":"2.0"}\r\n', "{}"],
    ["with escapes in its own keys", '{"\\u0069d":1,"\\u0072esult":{"a":1},"jsonrpc":"2\\u002e0"}', '{"a":1}'],
    [
      "with control members anywhere",
      '{"result":{"resultType":"complete","a":1,"_meta":{"b":2}},"jsonrpc":"2.0","id":1}',
      '{"resultType":"complete","a":1,"_meta":{"b":2}}',
    ],
    [
      "with what a host may keep",
      '{"result":{"ttlMs": 5000,"cacheScope":"public","a":1,"ttl":2},"jsonrpc":"2.0","id":1}',
      '{"ttlMs": 0,"cacheScope":"private","a":1,"ttl":2}',
    ],
    [
      "with a server's name that nobody approved",
      `{"result":{"a":1,"_meta":{"${serverInfoKey}":{"name":"evil"},"b":\n1}},"jsonrpc":"2.0","id":1}`,
      `{"a":1,"_meta":{"${serverInfoKey}":{"name":"files","version":"0"},"b": 1}}`,
    ],
    [
      "with the approved one",
      `{"result":{"_meta":{"${serverInfoKey}":{"version":"1", "name":"known"}}},"jsonrpc":"2.0","id":1}`,
      `{"_meta":{"${serverInfoKey}":{"version":"1", "name":"known"}}}`,
    ],
    [
      "with line ends that some readers know",
      '{"jsonrpc":"2.0","id":1,"result":{\r\n"a\u2028":"b\u0085\u2029",\n\t"c":"\\n"}}',
      '{  "a\\u2028":"b\\u0085\\u2029", \t"c":"\\n"}',
    ],
  ])("passes a result on: %s", (_, text, result) => {
    const whole = relayedText(text);
    expect(whole).toEqual({ verdict: { is: "complete" }, text: `${head}${result}}` });
    const pieces = [...Buffer.from(text)].map((byte) => Uint8Array.of(byte));
    expect(relayed(pieces)).toEqual(whole);
  });

  test.each([
    ["another id", '{"jsonrpc":"2.0","id":2,"result":{}}', "OTHER_ID"],
    ["another id behind the result", '{"result":{},"jsonrpc":"2.0","id":"1"}', "OTHER_ID"],
    ["no id", '{"result":{},"jsonrpc":"2.0"}', "BAD_ID"],
    ["an id that is none", '{"id":null,"result":{},"jsonrpc":"2.0"}', "BAD_ID"],
    ["an id twice", '{"id":1,"result":{},"jsonrpc":"2.0","\\u0069d":1}', "DUPLICATE_KEY"],
    ["a second result", '{"id":1,"result":{},"jsonrpc":"2.0","result":{}}', "DUPLICATE_KEY"],
    ["another version", '{"id":1,"result":{},"jsonrpc":"1.0"}', "NOT_JSON_RPC"],
    ["no version", '{"id":1,"result":{}}', "NOT_JSON_RPC"],
    ["no result", '{"id":1,"jsonrpc":"2.0"}', "NOT_JSON_RPC"],
    ["a result that is no object", '{"id":1,"result":[],"jsonrpc":"2.0"}', "NOT_JSON_RPC"],
    ["an error", '{"id":1,"error":{"code":1,"message":""},"jsonrpc":"2.0"}', "TOO_LARGE"],
    ["an error beside it", '{"result":{},"error":{},"jsonrpc":"2.0","id":1}', "REQUEST_AND_RESPONSE"],
    ["a method", '{"result":{},"method":"a","jsonrpc":"2.0","id":1}', "REQUEST_AND_RESPONSE"],
    ["params", '{"result":{},"jsonrpc":"2.0","id":1,"params":{}}', "REQUEST_AND_RESPONSE"],
    ["a look-alike of result", '{"Result":{},"jsonrpc":"2.0","id":1}', "UNKNOWN_ENVELOPE_KEY"],
    ["the long s of result", '{"result":{},"re\\u017fult":{},"jsonrpc":"2.0","id":1}', "UNKNOWN_ENVELOPE_KEY"],
    ["a key of nobody's", '{"result":{},"jsonrpc":"2.0","id":1,"x":1}', "UNKNOWN_ENVELOPE_KEY"],
    ["a batch", '[{"result":{},"jsonrpc":"2.0","id":1}]', "BATCH"],
    ["a text", '"a"', "NOT_JSON_RPC"],
    ["a second message", '{"result":{},"jsonrpc":"2.0","id":1}{}', "NOT_JSON"],
    ["half of one", '{"result":{},"jsonrpc":"2.0","id":1', "NOT_JSON"],
  ])("cuts off a message with %s", (_, text, code) => {
    expect(outcomeOf(text)).toBe(code);
  });

  test.each([
    ["that is not complete", '"resultType":"input_required"', "NOT_PLAIN"],
    ["whose type is no text", '"resultType":{}', "NOT_PLAIN"],
    ["that asks", '"inputRequests":{}', "NOT_PLAIN"],
    ["that asks to be asked again", '"requestState":"a"', "NOT_PLAIN"],
    ["that asks in another spelling", '"inputrequests":{}', "TWIN_KEY"],
    ["that asks with a dotless i", '"\u0131nputRequests":{}', "TWIN_KEY"],
    ["that asks with a key that C ends early", '"inputRequests\\u0000x":{}', "TWIN_KEY"],
    ["that asks in wide letters", '"\uff49nputRequests":{}', "TWIN_KEY"],
    ["with a list of tools", '"tools":[]', "NOT_PLAIN"],
    ["with a list of tools in escapes", '"\\u0074ools":[]', "NOT_PLAIN"],
    ["with a list of prompts", '"prompts":[]', "NOT_PLAIN"],
    ["with a list of resources", '"resources":[]', "NOT_PLAIN"],
    ["with a list of templates", '"resourceTemplates":[]', "NOT_PLAIN"],
    ["with a list of skills", '"skills":[]', "NOT_PLAIN"],
    ["with a further page", '"nextCursor":"a"', "NOT_PLAIN"],
    ["with instructions", '"instructions":"a"', "NOT_PLAIN"],
    ["with Instructions", '"In\u017ftructions":"a"', "TWIN_KEY"],
    ["with capabilities", '"capabilities":{}', "NOT_PLAIN"],
    ["that says who the server is", '"serverInfo":{}', "NOT_PLAIN"],
    ["with another _meta", '"_META":{}', "TWIN_KEY"],
    ["with another ttlMs", '"ttlms":1', "TWIN_KEY"],
    ["with a look-alike in _meta", `"_meta":{"${serverInfoKey.toUpperCase()}":{"name":"a"}}`, "TWIN_KEY"],
  ])("cuts off a result %s, early or late", (_, member, code) => {
    expect(outcomeOf(`{"jsonrpc":"2.0","id":1,"result":{${member},"a":1}}`)).toBe(code);
    expect(outcomeOf(`{"result":{"a":{"tools":[],"inputRequests":1},${member}},"jsonrpc":"2.0","id":1}`)).toBe(code);
  });

  test("writes nothing more once it is cut off, and says whether anything was written", () => {
    let written = "";
    const relay = relayTo((bytes) => {
      written += bytes.toString();
      return true;
    });
    expect(relay.push(Buffer.from('{"result":{"a":"'))).toBe(true);
    expect(relay.push(Buffer.from('b","inputRequests":{}'))).toBe(false);
    expect(relay.push(Buffer.from('},"jsonrpc":"2.0","id":1}'))).toBe(false);
    expect(relay.end(true)).toEqual({ is: "cut", code: "NOT_PLAIN", begun: true });
    expect(written).toBe(`${head}{"a":"`);
    // All of a piece is looked at before any of it is written.
    expect(relayedText('{"result":{"a":"b","tools":[')).toEqual({
      verdict: { is: "cut", code: "NOT_PLAIN", begun: false },
      text: "",
    });
  });

  test("writes the last brace only when the server has ended the message", () => {
    let written = "";
    const relay = relayTo((bytes) => {
      written += bytes.toString();
      return true;
    });
    relay.push(Buffer.from('{"jsonrpc":"2.0","id":1,"result":{"a":1}}\n'));
    expect(written).toBe(`${head}{"a":1}`);
    expect(relay.end(false)).toEqual({ is: "cut", code: "LOST", begun: true });
    expect(written).toBe(`${head}{"a":1}`);
  });

  test("says when its sink wants no more", () => {
    const relay = relayTo(() => false);
    expect(relay.push(Buffer.from('{"jsonrpc":"2.0",'))).toBe(true);
    expect(relay.push(Buffer.from('"result":{'))).toBe(false);
    expect(relay.verdict).toBeUndefined();
  });

  test("leaves the buffers that it is given as they are", () => {
    const text = '{"result":{\n"a":"\u2028",\r\n"b":1},"jsonrpc":"2.0","id":1}';
    const bytes = Buffer.from(text);
    expect(relayed([bytes]).verdict).toEqual({ is: "complete" });
    expect(bytes.toString()).toBe(text);
  });
});

describe("vectors/json, as a value in a result", () => {
  interface Case {
    readonly note: string;
    readonly input?: string;
    readonly inputBase64?: string;
  }
  for (const file of ["read", "refused"]) {
    const url = new URL(`../../../../vectors/json/${file}.json`, import.meta.url);
    const { cases } = JSON.parse(readFileSync(url, "utf8")) as { cases: readonly Case[] };
    test.each(cases.map((one) => [one.note, one] as const))(`${file}: %s`, (_, { input, inputBase64 }) => {
      const value = inputBase64 === undefined ? Buffer.from(input ?? "") : Buffer.from(inputBase64, "base64");
      for (const [before, behind] of [
        ['{"jsonrpc":"2.0","id":1,"result":{"a":', "}}"],
        ['{"result":{"a":[0,', '],"b":1},"jsonrpc":"2.0","id":1}'],
        ['{"result":{"_meta":', '},"jsonrpc":"2.0","id":1}'],
      ] as const) {
        expectAsFrame(Buffer.concat([Buffer.from(before), value, Buffer.from(behind)]), [1]);
      }
    });
  }
});

/** The members by which something is decided: the first ones pass where nothing speaks against what they say. */
const judged = ["resultType", "_meta", "ttlMs", "cacheScope"];
const refused = [
  ...["inputRequests", "requestState", "nextCursor", "tools", "prompts", "resources", "resourceTemplates"],
  ...["skills", "instructions", "serverInfo", "capabilities"],
];

/** The canonical form of the result as the guard would serve it, had it held it; undefined where it does not pass. */
function servedWhole(bytes: Uint8Array): string | undefined {
  const reading = readFrame(bytes);
  if (reading.is === "refused" || reading.frame.is !== "result" || reading.frame.id.key !== "1") return undefined;
  const { frame } = reading;
  for (const { key, value } of frame.page.result.is === "object" ? frame.page.result.members : []) {
    const isLoose = [...judged, ...refused].some((name) => foldedKey(name) === foldedKey(key.normalize("NFKC")));
    if (isLoose && !judged.includes(key)) return undefined;
    if (key === "resultType" && !(value.is === "string" && value.value === "complete")) return undefined;
  }
  const served = withKnownServerInfo(frame, server, accepted, uncachedIn(frame.page.result, frame.page.text));
  return canonicalOf(served);
}

function canonicalOf(message: string): string | undefined {
  const reading = readFrame(Buffer.from(message));
  return reading.is === "frame" && reading.frame.is === "result" ? canonicalize(reading.frame.page.result) : undefined;
}

/** Relays the message whole and in pieces of these lengths, and compares with what it is to a reader who has all of it. */
function expectAsFrame(bytes: Buffer, lengths: readonly number[]): void {
  const whole = relayed([bytes]);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = lengths[pieces.length % lengths.length] ?? bytes.length;
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  const inPieces = relayed(pieces);
  expect(inPieces.verdict.is).toBe(whole.verdict.is);
  const served = servedWhole(bytes);
  if (served === undefined) {
    expect(whole.verdict.is, bytes.toString()).toBe("cut");
    return;
  }
  expect(whole.verdict, bytes.toString()).toEqual({ is: "complete" });
  expect(inPieces.text).toBe(whole.text);
  expect(whole.text.startsWith(head)).toBe(true);
  expect(oneLine(whole.text)).toBe(whole.text);
  expect(canonicalOf(whole.text.replace('"host-1"', "1"))).toBe(served);
}

const blank = fc.constantFrom("", "", "", " ", "\n", "\r\n  ", "\t");
const letters = fc.constantFrom(
  ...[
    "a",
    "b",
    "tools",
    "é",
    "中",
    "😀",
    "\u0085",
    "\u2028",
    "\u2029",
    "\u007f",
    "\ufeff",
    "\u0130",
    "\ud7ff",
    "\uffff",
  ],
  ...['\\"', "\\\\", "\\/", "\\n", "\\u0000", "\\u2028", "\\uD83d\\ude00", "\\ud7ff", "\\uE000", "\\u0061", "\\u006"],
  ...["\\ud800", "\\udc00\\ud800", "\n", "\u0000", "'", "{", "]", ","],
);
/** Mostly a string. */
const quoted = fc.array(letters, { maxLength: 6 }).map((parts) => `"${parts.join("")}"`);
const token = fc.constantFrom(
  ...["0", "-0", "1", "-12.50", "1e5", "2E-7", "1.5e+30", "123456789012345678901234567890", "true", "false", "null"],
  ...['""', "[]", "{}", "01", "1.", "-", "+1", "tru", "NaN"],
);
const { value } = fc.letrec<{ value: string; array: string; object: string }>((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, token, quoted, tie("array"), tie("object")),
  array: fc.array(fc.tuple(blank, tie("value"), blank), { maxLength: 4 }).map((items) => `[${joined(items)}]`),
  object: fc.array(member(quoted, tie("value")), { maxLength: 4 }).map((members) => `{${members.join(",")}}`),
}));

function joined(items: readonly (readonly string[])[]): string {
  return items.map((item) => item.join("")).join(",");
}

function member(key: fc.Arbitrary<string>, inner: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(blank, key, blank, blank, inner, blank)
    .map(([before, name, between, behind, text, last]) => `${before}${name}${between}:${behind}${text}${last}`);
}

const infos = fc.constantFrom('{"name":"known","version":"1"}', '{"version":"1","name":"known"}', '{"name":"b"}', "1");
const inResult = fc.oneof(
  member(quoted, value),
  member(fc.constant('"resultType"'), fc.constantFrom('"complete"', '"complet\\u0065"', '"task"')),
  member(
    fc.constant('"_meta"'),
    fc.oneof(
      member(fc.constant(`"${serverInfoKey}"`), infos).map((one) => `{${one}}`),
      value,
    ),
  ),
  member(fc.constantFrom('"ttlMs"', '"cacheScope"', '"ttl\\u004ds"'), value),
  member(fc.constantFrom(...refused.map((key) => `"${key}"`), '"Tools"'), value),
);
const result = fc.array(inResult, { maxLength: 5 }).map((members) => `{${members.join(",")}}`);
const message = fc
  .tuple(
    member(fc.constantFrom('"result"', '"\\u0072esult"'), result),
    member(fc.constant('"id"'), fc.constantFrom("1", "1.0", "1e0", "1", "1", "2")),
    member(fc.constant('"jsonrpc"'), fc.constantFrom('"2.0"', '"2.\\u0030"', '"2.0"')),
  )
  .chain((members) => fc.shuffledSubarray(members, { minLength: 3 }))
  .map((members) => `{${members.join(",")}}`);
const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });

describe("laws", () => {
  test("a message comes out as it would be served had it been held, in whatever pieces, or is cut off", () => {
    let passed = 0;
    fc.assert(
      fc.property(message, lengths, (text, pieces) => {
        const bytes = Buffer.from(text);
        expectAsFrame(bytes, pieces);
        if (servedWhole(bytes) !== undefined) passed++;
      }),
      { numRuns: 1_500 },
    );
    expect(passed).toBeGreaterThan(100);
  });

  test("so does one with a few bytes changed", () => {
    const edit = fc.record({
      at: fc.nat({ max: 400 }),
      length: fc.nat({ max: 3 }),
      bytes: fc.oneof(
        fc.uint8Array({ maxLength: 2 }),
        fc.constantFrom(
          ...["{", "}", "]", ",", '"', ":", "\\", " ", "\u2028", ',"a":1'].map((text) => Buffer.from(text)),
        ),
      ),
    });
    fc.assert(
      fc.property(message, fc.array(edit, { minLength: 1, maxLength: 2 }), lengths, (text, edits, pieces) => {
        let bytes = Buffer.from(text);
        for (const { at, length, bytes: instead } of edits) {
          const from = at % bytes.length;
          bytes = Buffer.concat([bytes.subarray(0, from), instead, bytes.subarray(from + length)]);
        }
        if (bytes.length > 0) expectAsFrame(bytes, pieces);
      }),
      { numRuns: 1_500 },
    );
  });

  test.each(["\\ud83d\\ue000", "\\udc00\\udc00", "\\ud83d\\n", "\\u004@", "\\u004`", "\\u004G", "\\u00 1"])(
    "as readJson reads, not the escape %s",
    (spelled) => {
      expectAsFrame(Buffer.from(`{"jsonrpc":"2.0","id":1,"result":{"a":"${spelled}"}}`), [1]);
    },
  );

  test("as deep as readJson reads, and no deeper", () => {
    for (const depth of [1, 125, 126, 127, 128]) {
      const deep = `${"[".repeat(depth)}${"]".repeat(depth)}`;
      expectAsFrame(Buffer.from(`{"jsonrpc":"2.0","id":1,"result":{"a":${deep}}}`), [7]);
      expectAsFrame(Buffer.from(`{"jsonrpc":"2.0","id":1,"result":{"_meta":${deep}}}`), [7]);
    }
  });

  test("numbers as long as readJson reads", () => {
    for (const length of [1_023, 1_024, 1_025]) {
      expectAsFrame(Buffer.from(`{"jsonrpc":"2.0","id":1,"result":{"a":${"1".repeat(length)}}}`), [100]);
    }
  });
});

describe("bounds", () => {
  const begin = '{"result":{"content":[{"type":"text","text":"';

  test("holds nothing of a text, however long", () => {
    let bytes = 0;
    const relay = relayTo((piece) => {
      bytes += piece.length;
      return true;
    });
    const piece = Buffer.alloc(64 * 1024, "QUJD");
    relay.push(Buffer.from(begin));
    const held = () => {
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    for (let count = 0; count < 64; count++) relay.push(piece);
    const before = held();
    for (let count = 0; count < 1_024; count++) relay.push(piece);
    const growth = held() - before;
    relay.push(Buffer.from('"}]},"jsonrpc":"2.0","id":1}'));
    expect(relay.end(true)).toEqual({ is: "complete" });
    expect(bytes).toBeGreaterThan(64 * 1024 * 1024);
    expect(growth).toBeLessThan(8 * 1024 * 1024);
  });

  /** Pushes the same over and over, until it is cut off. */
  function floodedWith(start: string, next: (count: number) => string, limits?: AnswerRelayOptions["limits"]) {
    const relay = relayTo(() => true, limits);
    relay.push(Buffer.from(start));
    let bytes = 0;
    for (let count = 0; relay.verdict === undefined && bytes < 64 * 1024 * 1024; count++) {
      const piece = Buffer.from(next(count));
      relay.push(piece);
      bytes += piece.length;
    }
    return { verdict: relay.verdict, bytes };
  }

  test.each([
    ["a key without end", '{"result":{"', 65_536],
    ["a key without end, further in", '{"result":{"a":[{"', 65_536],
    ["an id without end", '{"id":"', 65_536],
    ["a _meta without end", '{"result":{"_meta":{"a":"', 65_536],
    ["a number without end", '{"result":{"a":1', 1_024],
  ])("cuts off %s", (_, start, most) => {
    const { verdict, bytes } = floodedWith(start, () => "1".repeat(100));
    expect(verdict).toMatchObject({ is: "cut", code: most === 1_024 ? "NUMBER_TOO_LONG" : "TOO_LARGE" });
    expect(bytes).toBeLessThan(most + 200);
  });

  test("cuts off an object with more keys than can be compared, but not a list of such objects", () => {
    const limits = { keys: 1_000_000 };
    const flooded = floodedWith('{"result":{"a":{"":0', (count) => `,"key ${count}":0`, limits);
    expect(flooded.verdict).toMatchObject({ is: "cut", code: "TOO_LARGE" });
    expect(flooded.bytes).toBeLessThan(1_000_000);
    const rows = Array.from(
      { length: 100 },
      (_, row) => `{${Array.from({ length: 200 }, (_, key) => `"${row} ${key}":0`)}}`,
    );
    expect(outcomeOf(`{"id":1,"jsonrpc":"2.0","result":{"a":[${rows}]}}`, limits)).toBe("complete");
  });

  test("cuts off what is longer than anything that is passed on", () => {
    const { verdict, bytes } = floodedWith(begin, () => "a".repeat(1_000), { bytes: 100_000 });
    expect(verdict).toEqual({ is: "cut", code: "TOO_LARGE", begun: true });
    expect(bytes).toBeLessThan(101_000);
  });

  test("takes a message in one piece with millions of line ends as one", () => {
    const text = "\u2028".repeat(300_000);
    const { verdict, text: written } = relayedText(`${begin}${text}"}]},"jsonrpc":"2.0","id":1}`);
    expect(verdict).toEqual({ is: "complete" });
    expect(written.length).toBeGreaterThan(6 * 300_000);
    expect(readJson(written).is).toBe("json");
  });
});
