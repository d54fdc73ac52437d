import { asServerName, type Offer } from "@countersign/core";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { readFrame } from "./frame.ts";
import { HeldOffers } from "./held-offers.ts";
import type { Answer } from "./own-requests.ts";
import { Repeats } from "./repeats.ts";

/** A server whose answers come when the test says so, in the order of what it was asked. */
function slowServer({ change = true, maxAge }: { change?: boolean; maxAge?: number } = {}) {
  const asked: { readonly params: readonly string[]; readonly answer: (result: string) => void }[] = [];
  const ruled: Offer[] = [];
  const lost: string[] = [];
  const failures: string[] = [];
  const server = asServerName("slow");
  if (server === undefined) throw new Error("no name of a server");
  const offers = new HeldOffers({
    server,
    limits: { pages: 100, definitions: 100 },
    repeats: new Repeats(),
    change,
    maxAge,
    ask: (_, params) => {
      const { promise, resolve } = Promise.withResolvers<Answer>();
      asked.push({ params, answer: (result) => resolve(resultFrame(result)) });
      return promise;
    },
    changed: async (offer) => {
      ruled.push(offer);
    },
    lost: (of) => lost.push(of),
    report: (event) => failures.push(event.is === "list-failed" ? event.code : event.is),
    broken: (what) => failures.push(what),
  });
  return { offers, asked, ruled, lost, failures };
}

function resultFrame(result: string) {
  const reading = readFrame(Buffer.from(`{"jsonrpc":"2.0","id":1,"result":${result}}`));
  if (reading.is === "refused" || reading.frame.is !== "result") throw new Error("no result");
  return reading.frame;
}

function tools(names: string, cursor?: string, ttl?: number): string {
  const list = [...names].map((name) => `{"name":"${name}","inputSchema":{"type":"object"}}`).join(",");
  const ttlMs = ttl === undefined ? "" : `,"ttlMs":${ttl}`;
  return `{"tools":[${list}]${cursor === undefined ? "" : `,"nextCursor":"${cursor}"`}${ttlMs}}`;
}

function namesIn(offer: Offer | undefined): string | undefined {
  return offer?.definitions.map(({ address }) => address.name).join("");
}

const source = "tools/list";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a list that changes while it is derived", () => {
  test("is stale when it is whole, so the next one who needs it asks again [pages.changing]", async () => {
    const { offers, asked } = slowServer();
    const first = offers.derive(source);
    asked[0]?.answer(tools("a", "more"));
    await vi.waitFor(() => expect(asked).toHaveLength(2));
    offers.wentStale(source);
    asked[1]?.answer(tools("b"));
    expect(await first).toMatchObject({ is: "offer", pages: 2 });
    expect(offers.fresh(source)).toBeUndefined();
    const second = offers.derive(source);
    asked[2]?.answer(tools("c"));
    await second;
    expect(namesIn(offers.fresh(source))).toBe("c");
  });

  test("before it was ever held, is stale as well", async () => {
    const { offers, asked } = slowServer();
    const derivation = offers.derive(source);
    offers.wentStale(source);
    asked[0]?.answer(tools("a"));
    await derivation;
    expect(offers.has(source)).toBe(true);
    expect(offers.fresh(source)).toBeUndefined();
  });

  test("is derived once more by the guard itself, and ruled on, so that a reviewer sees it", async () => {
    const { offers, asked, ruled } = slowServer();
    const derivation = offers.derive(source);
    offers.wentStale(source);
    asked[0]?.answer(tools("a"));
    await derivation;
    await vi.advanceTimersByTimeAsync(1_000);
    asked[1]?.answer(tools("b"));
    await vi.waitFor(() => expect(ruled.map(namesIn)).toEqual(["b"]));
    expect(namesIn(offers.fresh(source))).toBe("b");
    await vi.advanceTimersByTimeAsync(10_000);
    expect(asked).toHaveLength(2);
  });

  test("is not shared with whoever comes after the change", async () => {
    const { offers, asked } = slowServer();
    const before = offers.derive(source);
    expect(offers.derive(source)).toBe(before);
    offers.wentStale(source);
    const after = offers.derive(source);
    expect(asked).toHaveLength(2);
    expect(offers.derive(source)).toBe(after);
    asked[1]?.answer(tools("new"));
    await after;
    // The older derivation comes last, and replaces nothing.
    asked[0]?.answer(tools("old"));
    await before;
    expect(namesIn(offers.fresh(source))).toBe("new");
  });

  test("takes nothing away when the older derivation fails last", async () => {
    const { offers, asked, failures } = slowServer();
    const before = offers.derive(source);
    offers.wentStale(source);
    const after = offers.derive(source);
    asked[1]?.answer(tools("new"));
    await after;
    asked[0]?.answer('{"tools":5}');
    expect(await before).toEqual({ is: "failed", failure: { code: "NO_LIST" } });
    expect(failures).toEqual(["NO_LIST"]);
    expect(namesIn(offers.fresh(source))).toBe("new");
  });

  test("is stale too where the host asked for it, and the change came between its pages", async () => {
    const { offers, asked } = slowServer();
    const asked0 = offers.asks(source);
    const collected = offers.collect(source, resultFrame(tools("a", "more")), asked0);
    offers.wentStale(source);
    asked[0]?.answer(tools("b"));
    await collected;
    expect(offers.fresh(source)).toBeUndefined();
  });
});

test("derive() begins anew for one who shares with nobody", async () => {
  const { offers, asked } = slowServer();
  const shared = offers.derive(source);
  const own = offers.derive(source, false);
  expect(own).not.toBe(shared);
  expect(asked).toHaveLength(2);
  asked[0]?.answer(tools("a"));
  asked[1]?.answer(tools("a"));
  await Promise.all([shared, own]);
});

test("close() leaves no timer, and none begins afterwards", async () => {
  const { offers, asked } = slowServer();
  const derivation = offers.derive(source);
  offers.wentStale(source);
  offers.close();
  asked[0]?.answer(tools("a"));
  await derivation;
  expect(vi.getTimerCount()).toBe(0);
});

describe("a list that is old", () => {
  test("is stale when it was asked for longer ago than it may be, and is derived again [checkpoint.max-age]", async () => {
    const { offers, asked, ruled } = slowServer({ maxAge: 10_000 });
    const derivation = offers.derive(source);
    await vi.advanceTimersByTimeAsync(4_000);
    asked[0]?.answer(tools("a"));
    await derivation;
    await vi.advanceTimersByTimeAsync(5_999);
    expect(namesIn(offers.fresh(source))).toBe("a");
    await vi.advanceTimersByTimeAsync(1);
    expect(offers.fresh(source)).toBeUndefined();
    expect(asked).toHaveLength(2);
    asked[1]?.answer(tools("b"));
    await vi.waitFor(() => expect(ruled.map(namesIn)).toEqual(["b"]));
    expect(namesIn(offers.fresh(source))).toBe("b");
  });

  test("is not derived by the guard itself where that is switched off, nor is one that changed [checkpoint.change-off]", async () => {
    const { offers, asked } = slowServer({ change: false, maxAge: 10_000 });
    const derivation = offers.derive(source);
    asked[0]?.answer(tools("a"));
    await derivation;
    offers.wentStale(source);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toHaveLength(1);
    expect(offers.fresh(source)).toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
  });

  test("is asked for at the server's own time by calls, once a second, and by the guard once a minute [checkpoint.ttl]", async () => {
    const { offers, asked, ruled } = slowServer();
    const derivation = offers.derive(source);
    asked[0]?.answer(tools("a", "more", 90_000));
    await vi.waitFor(() => expect(asked).toHaveLength(2));
    asked[1]?.answer(tools("b", undefined, 0));
    await derivation;
    await vi.advanceTimersByTimeAsync(800);
    expect(namesIn(offers.fresh(source))).toBe("ab");
    await vi.advanceTimersByTimeAsync(300);
    expect(offers.fresh(source)).toBeUndefined();
    await vi.advanceTimersByTimeAsync(58_000);
    expect(asked).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(2_000);
    asked[2]?.answer(tools("c", undefined, 90_000));
    await vi.waitFor(() => expect(ruled.map(namesIn)).toEqual(["c"]));
    await vi.advanceTimersByTimeAsync(88_000);
    expect(namesIn(offers.fresh(source))).toBe("c");
    expect(asked).toHaveLength(3);
  });

  test("and of an age that nobody knows, since the clock went back, is stale [checkpoint.clock]", async () => {
    const { offers, asked } = slowServer({ maxAge: 3_600_000 });
    const derivation = offers.derive(source);
    asked[0]?.answer(tools("a"));
    await derivation;
    vi.setSystemTime(Date.now() - 1);
    expect(offers.fresh(source)).toBeUndefined();
    const again = offers.derive(source);
    asked[1]?.answer(tools("b"));
    await again;
    expect(namesIn(offers.fresh(source))).toBe("b");
  });

  test("and that cannot be had again is lost, and said to be [checkpoint.lost]", async () => {
    const { offers, asked, ruled, lost } = slowServer({ maxAge: 10_000 });
    const derivation = offers.derive(source);
    asked[0]?.answer(tools("a"));
    await derivation;
    await vi.advanceTimersByTimeAsync(10_000);
    asked[1]?.answer('{"tools":5}');
    await vi.waitFor(() => expect(lost).toEqual(["tools/list"]));
    expect(offers.has(source)).toBe(false);
    expect(ruled).toEqual([]);
  });
});

describe("a list in pages", () => {
  test("whose second page names what the first one did, holds neither [pages.contradict]", async () => {
    const { offers, asked } = slowServer();
    const derivation = offers.derive(source);
    asked[0]?.answer(tools("ab", "more"));
    await vi.waitFor(() => expect(asked).toHaveLength(2));
    asked[1]?.answer(tools("bc"));
    await derivation;
    expect(namesIn(offers.fresh(source))).toBe("ac");
    expect(offers.fresh(source)?.malformed.map(({ name }) => name)).toEqual(["b", "b"]);
  });

  test("whose cursors go round is withheld at the first that comes back [pages.repeated]", async () => {
    const { offers, asked } = slowServer();
    const derivation = offers.derive(source);
    for (const [page, cursor] of ["x", "y", "x"].entries()) {
      await vi.waitFor(() => expect(asked).toHaveLength(page + 1));
      asked[page]?.answer(tools("", cursor));
    }
    expect(await derivation).toEqual({ is: "failed", failure: { code: "REPEATED_CURSOR" } });
    expect(asked.map(({ params }) => params)).toEqual([[], ['"cursor":"x"'], ['"cursor":"y"']]);
  });
});
