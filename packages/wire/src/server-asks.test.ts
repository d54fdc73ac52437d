import { asServerName, type Objection, type Sampling } from "@countersign/core";
import { describe, expect, test } from "vitest";
import { type Frame, readFrame } from "./frame.ts";
import { ServerAsks } from "./server-asks.ts";

const sampling = (id: number) =>
  `{"jsonrpc":"2.0","id":${id},"method":"sampling/createMessage","params":{"messages":[],"systemPrompt":"Be brief."}}`;

function requestOf(text: string): Extract<Frame, { is: "request" }> {
  const reading = readFrame(Buffer.from(text));
  if (reading.is === "refused" || reading.frame.is !== "request") throw new Error("no request");
  return reading.frame;
}

/** A connection on which nothing is judged until somebody decides. */
function connection() {
  const server = asServerName("station");
  if (server === undefined) throw new Error("no name of a server");
  const toHost: string[] = [];
  const toServer: string[] = [];
  const events: string[] = [];
  const waiting: { sampling: Sampling; decide: (because: readonly Objection[]) => void; fail: (e: Error) => void }[] =
    [];
  let known = true;
  const asks = new ServerAsks({
    server,
    allow: new Set(["sampling/createMessage"]),
    judge: (one) => new Promise((decide, fail) => waiting.push({ sampling: one, decide, fail })),
    known: () => known,
    toHost: (text) => toHost.push(text),
    toServer: (text) => toServer.push(text),
    report: (event) => events.push(event.is),
    broken: (what, error) => events.push(`${what}: ${error}`),
  });
  const decide = async (because: readonly Objection[] | Error) => {
    const next = waiting.shift();
    if (because instanceof Error) next?.fail(because);
    else next?.decide(because);
    await new Promise(setImmediate);
  };
  const revoke = () => {
    known = false;
  };
  return { asks, toHost, toServer, events, waiting, decide, revoke };
}

describe("a sampling request", () => {
  test("reaches the host when it is judged, not before, and is answered once [asks.held]", async () => {
    const { asks, toHost, toServer, waiting, decide } = connection();
    asks.request(requestOf(sampling(1)));
    expect(toHost).toEqual([]);
    expect(asks.answered("1")).toBe(false);
    expect(waiting[0]?.sampling.definitions.map(({ address }) => address)).toEqual([
      { server: "station", kind: "instructions", name: "sampling/createMessage" },
    ]);
    await decide([]);
    expect(toHost).toEqual([sampling(1)]);
    expect(asks.answered("1")).toBe(true);
    expect(asks.answered("1")).toBe(false);
    expect(toServer).toEqual([]);
  });

  test("that the server takes back while it is judged never reaches the host [asks.held]", async () => {
    const { asks, toHost, toServer, decide } = connection();
    asks.request(requestOf(sampling(1)));
    expect(asks.takenBack("1")).toBe(true);
    asks.request(requestOf(sampling(1)));
    await decide([]);
    expect(toHost).toEqual([]);
    await decide([]);
    expect(toHost).toEqual([sampling(1)]);
    // The host has heard of it by now, so the cancellation is for the host.
    expect(asks.takenBack("1")).toBe(false);
    expect(toServer).toEqual([]);
  });

  test("is withheld where a gate breaks, and where everything was revoked meanwhile [asks.held]", async () => {
    const { asks, toHost, toServer, events, decide, revoke } = connection();
    asks.request(requestOf(sampling(1)));
    await decide(new Error("broken"));
    asks.request(requestOf(sampling(2)));
    revoke();
    await decide([]);
    expect(toHost).toEqual([]);
    expect(toServer).toEqual([
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Countersign could not judge this, so it is withheld"}}',
      '{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"Countersign refused this request: NO_BASELINE","data":{"reason":"NO_BASELINE"}}}',
    ]);
    expect(events).toEqual(["sampling/createMessage: Error: broken", "ask-refused"]);
  });

  test("is one of a hundred at most that are judged at a time [asks.held]", async () => {
    const { asks, toServer, waiting, decide } = connection();
    for (let id = 1; id <= 101; id++) asks.request(requestOf(sampling(id)));
    expect(waiting).toHaveLength(100);
    expect(toServer).toEqual([
      '{"jsonrpc":"2.0","id":101,"error":{"code":-32603,"message":"Countersign is still judging other requests"}}',
    ]);
    await decide([]);
    asks.request(requestOf(sampling(102)));
    expect(waiting).toHaveLength(100);
  });

  test("is dropped with its connection [asks.held]", async () => {
    const { asks, toHost, toServer, decide } = connection();
    asks.request(requestOf(sampling(1)));
    asks.close();
    await decide([]);
    expect([...toHost, ...toServer]).toEqual([]);
  });
});
