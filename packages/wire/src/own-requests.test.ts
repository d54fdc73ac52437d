import { expect, test } from "vitest";
import { readFrame } from "./frame.ts";
import { type Answer, OwnRequests } from "./own-requests.ts";

function result(id: string, value: string): Answer & { readonly id: { readonly key: string } } {
  const reading = readFrame(Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":{"v":"${value}"}}`));
  if (reading.is === "refused" || reading.frame.is !== "result") throw new Error("no result");
  return reading.frame;
}

function requests() {
  const sent: string[] = [];
  const own = new OwnRequests("nonce", 1_000, (text) => sent.push(text));
  const settle = (id: string, value: string) => {
    const answer = result(id, value);
    return own.settle(answer.id.key, answer);
  };
  return { own, sent, settle };
}

test("an id that a server has heard tells it the next one, and the answer to that still waits for nobody [frame.own-ids]", async () => {
  const { own, sent, settle } = requests();
  const first = own.ask("tools/list", []);
  expect(sent).toEqual(['{"jsonrpc":"2.0","id":"nonce:1","method":"tools/list"}']);
  expect(settle('"nonce:2"', "too early")).toBe(false);
  expect(settle('"nonce:1"', "one")).toBe(true);
  expect(settle('"nonce:1"', "once more")).toBe(false);
  expect(await first).toMatchObject(result('"nonce:1"', "one"));
  const second = own.ask("tools/list", []);
  expect(settle('"nonce:2"', "two")).toBe(true);
  expect(await second).toMatchObject(result('"nonce:2"', "two"));
});

test("an answer that comes after the patience is over is nobody's", async () => {
  const sent: string[] = [];
  const own = new OwnRequests("nonce", 1, (text) => sent.push(text));
  expect(await own.ask("tools/list", [])).toEqual({ is: "none", code: "NO_ANSWER" });
  expect(own.settle('"nonce:1"', result('"nonce:1"', "late"))).toBe(false);
});

test("close() answers whoever waits, and whoever asks afterwards", async () => {
  const { own, sent } = requests();
  const waiting = own.ask("tools/list", []);
  own.close();
  expect(await waiting).toEqual({ is: "none", code: "CLOSED" });
  expect(await own.ask("tools/list", [])).toEqual({ is: "none", code: "CLOSED" });
  expect(sent).toHaveLength(1);
});
