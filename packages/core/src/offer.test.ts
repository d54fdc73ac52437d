import { describe, expect, test } from "vitest";
import { asServerName } from "./address.ts";
import { type Json, readJson } from "./json.ts";
import { type Offer, type Page, readBodies, readOffer, type Source } from "./offer.ts";

function pageOf(text: string): Page {
  return { text, result: read(text) };
}

function read(text: string): Json {
  const reading = readJson(text);
  if (reading.is === "refused") throw new Error(reading.refusal.code);
  return reading.json;
}

function offerOf(pages: readonly Page[], source: Source = "tools/list"): Offer {
  const server = asServerName("files");
  if (server === undefined) throw new Error("no name of a server");
  const reading = readOffer(server, source, pages);
  if (reading.is === "refused") throw new Error(reading.because.code);
  return reading.offer;
}

const tool = (name: string, more = "") => `{"name":${JSON.stringify(name)},"inputSchema":{"type":"object"}${more}}`;
const list = (...tools: readonly string[]) => pageOf(`{"tools":[${tools.join(",")}]}`);

test("readOffer() gives an offer one digest, whatever the order of the list, its pages and its spelling", () => {
  const digest = "cs1:sha256:c0ddc59bb8d1230e886e6b254d4177f4ec0b44c72ff6b0fe8d5964ab95cd1ce3";
  const [a, b, c] = [tool("a"), tool("b", ',"description":"B"'), tool("c")];
  for (const pages of [
    [list(a, b, c)],
    [list(c, b, a)],
    [list(b, a), list(c)],
    [list(), list(c), list(), list(a, b)],
    [list(a, '{ "description":"\\u0042", "inputSchema":{"type":"object"},\n"name":"b" }', c)],
  ]) {
    expect(offerOf(pages).digest).toBe(digest);
  }
});

test("readOffer() gives another digest to an offer with another name, another text, one more or one less", () => {
  const digest = (...tools: readonly string[]) => offerOf([list(...tools)]).digest;
  const digests = [
    digest(tool("a"), tool("b")),
    digest(tool("a")),
    digest(),
    digest(tool("a"), tool("B")),
    digest(tool("a"), tool("b", ',"title":""')),
    digest(tool("a"), tool("b"), tool("c")),
  ];
  expect(new Set(digests).size).toBe(6);
});

test("readOffer() leaves what is malformed out of the digest: nobody can approve it", () => {
  expect(offerOf([list(tool("a"), '{"name":"b"}', tool("c"), tool("c"))]).digest).toBe(
    offerOf([list(tool("a"))]).digest,
  );
});

test("readOffer() takes names of any length", () => {
  const names = ["x".repeat(10_000), `${"x".repeat(9_999)}y`, "😀".repeat(5_000)];
  const { definitions, malformed } = offerOf([list(...names.map((name) => tool(name)))]);
  expect(definitions.map(({ address }) => address.name)).toEqual(names);
  expect(malformed).toEqual([]);
});

test("readOffer() finds two equal names among ten thousand", () => {
  const names = Array.from({ length: 10_000 }, (_, index) => `t${index % 9_999}`);
  const { definitions, malformed } = offerOf([list(...names.map((name) => tool(name)))]);
  expect(definitions.length).toBe(9_998);
  expect(malformed).toEqual([
    { index: 0, kind: "tool", name: "t0", faults: [{ code: "DUPLICATE_NAME", at: "" }] },
    { index: 9_999, kind: "tool", name: "t0", faults: [{ code: "DUPLICATE_NAME", at: "" }] },
  ]);
});

test("readOffer() reads a result out of the message that it stands in", () => {
  const text = `{"jsonrpc":"2.0","id":"😀","result":{"tools":[ ${tool("a")} ],"x" : 1}}`;
  const message = read(text);
  const result = message.is === "object" ? message.members[2]?.value : undefined;
  if (result === undefined) throw new Error("no result");
  expect(
    offerOf([{ text, result }]).definitions.map(({ address, text }) => [address.kind, address.name, text]),
  ).toEqual([
    ["tool", "a", '{"name":"a","inputSchema":{"type":"object"}}'],
    ["server", "tools/list", '{"x" : 1}'],
  ]);
});

test("readOffer() reads what stands beside a list at the deepest that readJson() lets through", () => {
  const deep = `${"[".repeat(127)}${"]".repeat(127)}`;
  const { definitions } = offerOf([pageOf(`{"tools":[],"x":${deep}}`)]);
  expect(definitions.map(({ text }) => text)).toEqual([`{"x":${deep}}`]);
});

test("readOffer() of no pages is an offer of nothing", () => {
  expect(offerOf([])).toMatchObject({ source: "tools/list", definitions: [], malformed: [] });
});

describe("the pages of an offer", () => {
  const reading = (...results: readonly string[]) => {
    const server = asServerName("files");
    if (server === undefined) throw new Error("no name of a server");
    const offer = readOffer(server, "tools/list", results.map(pageOf));
    return offer.is === "refused" ? offer.because : offer.is;
  };
  const page = (letters: number) => `{"tools":[],"x":"${"x".repeat(letters - 19)}"}`;
  const values = (count: number) => `{"tools":[],"x":[${"0,".repeat(count - 6)}0]}`;

  test("have together no more text than an offer may have [frame.bounds]", () => {
    expect(reading(page(2_097_152))).toBe("offer");
    expect(reading(page(2_097_153))).toEqual({ code: "TOO_LARGE", page: 0 });
    expect(reading(page(1_000_000), page(1_097_152))).toBe("offer");
    expect(reading(page(1_000_000), page(1_097_153))).toEqual({ code: "TOO_LARGE", page: 1 });
  });

  test("have together no more keys and values than an offer may have [frame.bounds]", () => {
    expect(reading(values(131_072))).toBe("offer");
    expect(reading(values(131_073))).toEqual({ code: "TOO_LARGE", page: 0 });
    expect(reading(values(100_000), values(31_072))).toBe("offer");
    expect(reading(values(100_000), values(31_073))).toEqual({ code: "TOO_LARGE", page: 1 });
  });
});

describe("readBodies()", () => {
  const server = asServerName("files");
  if (server === undefined) throw new Error("no name of a server");
  const said = '"messages":[{"role":"user","content":{"type":"text","text":"Sum up."}}]';
  const bodies = (...texts: readonly string[]) =>
    readBodies(
      server,
      texts.map((text, index) => ({ kind: "body", name: `prompts/get ${index}`, page: pageOf(text) })),
    );
  const body = (text: string) => {
    const reading = bodies(text);
    if (reading.is === "refused") throw new Error(reading.because.code);
    return reading.offer.definitions[0];
  };

  test("reads an answer without the protocol's own fields [body.digest]", () => {
    const digest = "cs1:sha256:2b818187dad5f223119e45c4014e6856cc791488de5f1f422381f64f2c6cbd14";
    expect(body(`{${said}}`)).toMatchObject({
      address: { kind: "body", name: "prompts/get 0" },
      text: `{${said}}`,
      received: digest,
    });
    const ordinary = '"ttlMs":60000,"cacheScope":"public","resultType":"complete"';
    const info = '"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"files","version":"1"}}';
    expect(body(`{${ordinary},${said},${info}}`)?.received).toBe(digest);
    for (const more of [
      '"ttlMs":"soon"',
      '"resultType":"input_required"',
      '"nextCursor":"a"',
      '"instructions":"Sum up."',
      '"_meta":{"note":1}',
      '"description":""',
    ]) {
      expect(body(`{${said},${more}}`)?.received).not.toBe(digest);
    }
  });

  test("isolates what is malformed, and refuses what two readers read differently", () => {
    expect(bodies(`{${said}}`, '{"messages":[1]}', "{}")).toMatchObject({
      is: "offer",
      offer: {
        source: "bodies",
        definitions: [{ address: { name: "prompts/get 0" } }, { address: { name: "prompts/get 2" }, text: "{}" }],
        malformed: [{ kind: "body", name: "prompts/get 1", faults: [{ code: "WRONG_TYPE", at: "/messages/0" }] }],
      },
    });
    expect(bodies(`{${said},"Messages":[]}`)).toEqual({ is: "refused", because: { code: "TWIN_KEY", page: 0 } });
    expect(bodies(`{"messages":[],"x":"${"x".repeat(2_100_000)}"}`)).toEqual({
      is: "refused",
      because: { code: "TOO_LARGE", page: 0 },
    });
  });
});
