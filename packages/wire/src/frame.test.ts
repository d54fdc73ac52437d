import { describe, expect, test } from "vitest";
import { guessId, readFrame } from "./frame.ts";

/** The frame's kind, or the code that it is refused with. */
function kindOf(text: string): string {
  const reading = readFrame(Buffer.from(text));
  return reading.is === "frame" ? reading.frame.is : reading.refusal.code;
}

describe("readFrame()", () => {
  test.each([
    ["a request", '{"jsonrpc":"2.0","id":1,"method":"a","params":{}}', "request"],
    ["a notification", '{"method":"a","jsonrpc":"2.0"}', "notification"],
    ["a result", '{"jsonrpc":"2.0","id":"1","result":{}}', "result"],
    ["an error", '{"jsonrpc":"2.0","id":-1,"error":{"code":1,"message":""}}', "error"],
  ])("reads %s", (_, text, kind) => {
    expect(kindOf(text)).toBe(kind);
  });

  test.each([
    ["Result beside result", '{"jsonrpc":"2.0","id":1,"result":{},"Result":{}}', "UNKNOWN_ENVELOPE_KEY"],
    ["Result alone", '{"jsonrpc":"2.0","id":1,"Result":{}}', "UNKNOWN_ENVELOPE_KEY"],
    ["the long s of result", '{"jsonrpc":"2.0","id":1,"result":{},"re\u017fult":{}}', "UNKNOWN_ENVELOPE_KEY"],
    ["the long s of params", '{"jsonrpc":"2.0","method":"a","param\\u017f":{}}', "UNKNOWN_ENVELOPE_KEY"],
    ["a result that C ends early", '{"jsonrpc":"2.0","id":1,"result":{},"result\\u0000":{}}', "UNKNOWN_ENVELOPE_KEY"],
    [
      "a method that C ends early",
      '{"jsonrpc":"2.0","id":1,"method":"a","method\\u0000x":"b"}',
      "UNKNOWN_ENVELOPE_KEY",
    ],
    ["ID beside id", '{"jsonrpc":"2.0","id":1,"ID":2,"result":{}}', "UNKNOWN_ENVELOPE_KEY"],
    ["a key of nobody's", '{"jsonrpc":"2.0","id":1,"result":{},"note":1}', "UNKNOWN_ENVELOPE_KEY"],
    ["result twice", '{"jsonrpc":"2.0","id":1,"result":{},"result":{}}', "DUPLICATE_KEY"],
    ["result twice, once escaped", '{"jsonrpc":"2.0","id":1,"result":{},"\\u0072esult":{}}', "DUPLICATE_KEY"],
    ["a key twice, deep in it", '{"jsonrpc":"2.0","id":1,"result":{"a":[[{"b":{"c":1,"c":2}}]]}}', "DUPLICATE_KEY"],
    ["a request that is a result", '{"jsonrpc":"2.0","id":1,"method":"a","result":{}}', "REQUEST_AND_RESPONSE"],
    ["a request that is an error", '{"jsonrpc":"2.0","id":1,"method":"a","error":{}}', "REQUEST_AND_RESPONSE"],
    ["a notification that is a result", '{"jsonrpc":"2.0","method":"a","result":{}}', "REQUEST_AND_RESPONSE"],
    ["a result with params", '{"jsonrpc":"2.0","id":1,"params":{},"result":{}}', "REQUEST_AND_RESPONSE"],
    ["a result that is an error", '{"jsonrpc":"2.0","id":1,"result":{},"error":{}}', "REQUEST_AND_RESPONSE"],
    ["a batch", '[{"jsonrpc":"2.0","id":1,"result":{}}]', "BATCH"],
    ["a batch of none", "[]", "BATCH"],
    ["an answer to nobody", '{"jsonrpc":"2.0","result":{}}', "BAD_ID"],
    ["an id that is null", '{"jsonrpc":"2.0","id":null,"result":{}}', "BAD_ID"],
    ["an id that is no integer", '{"jsonrpc":"2.0","id":1.5,"result":{}}', "BAD_ID"],
    ["an id that no double holds", '{"jsonrpc":"2.0","id":1e400,"result":{}}', "BAD_ID"],
    ["an id that nobody would keep", `{"jsonrpc":"2.0","id":"${"a".repeat(1_023)}","result":{}}`, "BAD_ID"],
    [
      "two messages of which one stands behind a CR",
      '{"jsonrpc":"2.0","method":"a"}\r{"jsonrpc":"2.0","method":"b"}',
      "NOT_JSON",
    ],
    ["a CR in a string", '{"jsonrpc":"2.0","method":"a\r"}', "NOT_JSON"],
    ["half a character", '{"jsonrpc":"2.0","method":"\\udead"}', "LONE_SURROGATE"],
    ["another version", '{"jsonrpc":"2.1","method":"a"}', "NOT_JSON_RPC"],
    ["a result that is no object", '{"jsonrpc":"2.0","id":1,"result":[]}', "NOT_JSON_RPC"],
    ["params that are no object", '{"jsonrpc":"2.0","method":"a","params":[]}', "NOT_JSON_RPC"],
  ])("refuses %s", (_, text, code) => {
    expect(kindOf(text)).toBe(code);
  });

  test.each([
    ["Name beside name", '{"name":"a","Name":"b"}'],
    ["Name alone", '{"Name":"b"}'],
    ["a name that C ends early", '{"name":"a","name\\u0000":"b"}'],
    ["Arguments beside arguments", '{"name":"a","arguments":{},"Arguments":{"path":"/"}}'],
    ["the long s of arguments", '{"name":"a","argument\u017f":{"path":"/"}}'],
    ["URI beside uri", '{"uri":"a:b","URI":"c:d"}'],
    ["Cursor", '{"Cursor":"2"}'],
    ["requestid beside requestId", '{"requestId":1,"requestid":2}'],
  ])("refuses %s in params, which two readers would read differently", (_, params) => {
    expect(kindOf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`)).toBe("TWIN_KEY");
  });

  test("leaves the keys alone by which nobody here decides, and those of arguments", () => {
    const params = '{"name":"a","arguments":{"Name":1,"name":2,"URI":3},"Level":"b"}';
    expect(kindOf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`)).toBe("request");
  });

  test("refuses what is no UTF-8, and what would grow beyond bounds on its way out", () => {
    const bytes = Buffer.from('{"jsonrpc":"2.0","method":"\u00e9"}', "latin1");
    expect(readFrame(bytes)).toEqual({ is: "refused", refusal: { code: "BAD_UTF8", at: 0 } });
    expect(kindOf(`{"jsonrpc":"2.0","method":"${"\u2028".repeat(2_800_000)}"}`)).toBe("TOO_LARGE");
    expect(kindOf(`{"jsonrpc":"2.0","method":"${"\u2028".repeat(2_700_000)}"}`)).toBe("notification");
  });

  test("takes spellings of one id for one, and a text for another than a number", () => {
    const keyOf = (id: string) => {
      const reading = readFrame(Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":{}}`));
      return reading.is === "frame" && reading.frame.is === "result" ? reading.frame.id.key : undefined;
    };
    expect([keyOf("1"), keyOf("1.0"), keyOf("1e0")]).toEqual(["1", "1", "1"]);
    expect([keyOf('"a"'), keyOf('"\\u0061"')]).toEqual(['"a"', '"a"']);
    expect([keyOf("0"), keyOf("-0")]).toEqual(["0", "0"]);
    expect(keyOf('"1"')).toBe('"1"');
    expect([keyOf("9007199254740992"), keyOf("9007199254740993")]).toEqual(["9007199254740992", undefined]);
  });
});

test("guessId() finds an id at either end of a message, and nothing that would have to be read first", () => {
  const filler = "x".repeat(10_000);
  expect(guessId(Buffer.from(`{"id":7,"x":"${filler}"}`))).toBe("7");
  expect(guessId(Buffer.from(`{"x":"${filler}","id":"a-1"}`))).toBe('"a-1"');
  expect(guessId(Buffer.from(`{"id":1.5,"x":"${filler}"}`))).toBeUndefined();
  expect(guessId(Buffer.from('{"id":"\\u0061"}'))).toBeUndefined();
});
