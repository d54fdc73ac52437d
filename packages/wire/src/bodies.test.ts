import { asServerName, type Offer, readJson, readOffer, type Source } from "@countersign/core";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Bodies } from "./bodies.ts";
import { readFrame } from "./frame.ts";
import { HeldOffers } from "./held-offers.ts";
import { Repeats } from "./repeats.ts";
import { textAskedFor, textOfResource } from "./standing-text.ts";

const server = asServerName("notes");
if (server === undefined) throw new Error("no name of a server");
const of = server;

/** A server that offers these prompts, and gives what `answers` says. */
function offering(prompts: readonly string[], answers: (params: string) => string, most = 100) {
  const asked: string[] = [];
  const ruled: Offer[] = [];
  const rule = async (offer: Offer) => {
    ruled.push(offer);
    return [];
  };
  const offers = new HeldOffers({
    ...{ server: of, limits: { pages: 1, definitions: 10_000 }, repeats: new Repeats() },
    ...{ change: false, maxAge: undefined, changed: async () => undefined, lost: () => undefined },
    ask: async () => ({ is: "none", code: "NO_ANSWER" }),
    report: () => undefined,
    broken: () => undefined,
  });
  const asked0 = offers.asks("prompts/list");
  offers.hold(offerOf("prompts/list", `{"prompts":[${prompts.join(",")}]}`), asked0, undefined);
  const bodies = new Bodies({
    ...{ server: of, offers, rule, most },
    ask: async (method, params) => {
      asked.push(`${method} ${params.join()}`);
      return resultFrame(answers(params.join()));
    },
    broken: (what) => asked.push(what),
  });
  return { bodies, asked, ruled };
}

function offerOf(source: Source, text: string): Offer {
  const reading = readJson(text);
  if (reading.is === "refused") throw new Error(reading.refusal.code);
  const offer = readOffer(of, source, [{ text, result: reading.json }]);
  if (offer.is === "refused") throw new Error(offer.because.code);
  return offer.offer;
}

function resultFrame(result: string) {
  const reading = readFrame(Buffer.from(`{"jsonrpc":"2.0","id":1,"result":${result}}`));
  if (reading.is === "refused" || reading.frame.is !== "result") throw new Error("no result");
  return reading.frame;
}

const named = (name: string, more = "") => `{"name":"${name}"${more}}`;
const empty = () => '{"messages":[]}';
const namesIn = (offer: Offer | undefined) => offer?.definitions.map(({ address }) => address.name);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("what stands behind an offer", () => {
  test("is sighted at once, but for prompts with arguments, and but for what asks for something first", async () => {
    const prompts = [named("a"), named("b", ',"arguments":[{"name":"x"}]'), named("c", ',"arguments":[]'), named("d")];
    const { bodies, asked, ruled } = offering(prompts, (params) =>
      params.includes("d") ? '{"inputRequests":{"a":{"method":"roots/list"}}}' : empty(),
    );
    await bodies.derive();
    expect(asked).toEqual(['prompts/get "name":"a"', 'prompts/get "name":"c"', 'prompts/get "name":"d"']);
    expect(ruled.map(namesIn)).toEqual([["prompts/get a", "prompts/get c"]]);
  });

  test("is sighted though one of it cannot be read, or is too much", async () => {
    const { bodies, ruled } = offering([named("twin"), named("large"), named("a")], (params) => {
      if (params.includes("twin")) return '{"messages":[],"Messages":[]}';
      return params.includes("large") ? `{"messages":[],"x":"${"x".repeat(2_100_000)}"}` : empty();
    });
    await bodies.derive();
    expect(ruled.map(namesIn)).toEqual([["prompts/get a"]]);
  });

  test("is asked for in a bounded number, and again once for many changes [body.bounded]", async () => {
    const prompts = Array.from({ length: 1_000 }, (_, n) => named(`p${n}`));
    const { bodies, asked, ruled } = offering(prompts, empty, 20);
    bodies.changed();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(asked).toEqual([]); // nobody has asked for any yet
    await bodies.derive();
    expect(asked).toHaveLength(20);
    for (let time = 0; time < 100; time++) bodies.changed();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(asked).toHaveLength(40);
    expect(ruled).toHaveLength(2);
    bodies.changed();
    bodies.close();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(asked).toHaveLength(40);
  });
});

describe("a request", () => {
  test.each([
    ["resources/read", "ui://a/b", "view"],
    ["resources/read", "UI://a", "view"],
    ["resources/read", "skill://a/b.md", "body"],
    ["resources/read", "github://a/SKILL.md", "body"],
    ["resources/read", "github://a/SKILL.md?ref=main", "body"],
    ["resources/read", "file:///a/SKILL.md.txt", undefined],
    ["resources/read", "file:///a/ui://b", undefined],
    ["resources/subscribe", "ui://a/b", undefined],
    ["tools/call", "a", undefined],
    ["prompts/get", "a", "body"],
  ])("%s of %s is about standing text: %s", (method, name, kind) => {
    expect(textAskedFor(method, name, '{"name":"a"}')?.kind).toBe(kind);
  });

  test("of the guard's own spells a name as JSON does", () => {
    expect(textOfResource('ui://"\u2028')?.params).toEqual(['"uri":"ui://\\"\u2028"']);
  });
});
