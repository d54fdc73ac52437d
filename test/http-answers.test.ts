import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Gateway, gatewayIn } from "./rig/gateway.ts";
import { type HttpExchange, HttpHost } from "./rig/http-host.ts";
import { altered, approveThrough, type HttpStation, startHttpStation } from "./rig/http-station.ts";
import { openPlace, type Place } from "./rig/place.ts";

/** What a server may answer through the gateway, beside definitions. */
let place: Place;
let station: HttpStation;
let gateway: Gateway;
const hosts: HttpHost[] = [];

beforeAll(async () => {
  place = openPlace();
  station = await startHttpStation(place);
  gateway = await gatewayIn(place, { servers: { station: { url: station.url.href } } });
  await approveThrough(place, gateway, "station");
});

beforeEach(async () => {
  await station.behave({});
});

afterAll(async () => {
  for (const host of hosts) host.close();
  await gateway.close();
  await station.close();
  await place.close();
});

const letters = 5_000_000;
const call = { name: "history-of", arguments: {} };
const eras = ["2025-11-25", "2026-07-28"] as const;

async function called(era: (typeof eras)[number]): Promise<HttpExchange> {
  const host = new HttpHost(gateway.url("station"));
  hosts.push(host);
  if (era === "2025-11-25") await host.initialize();
  const exchange = era === "2025-11-25" ? host.request("tools/call", call) : host.modern("tools/call", call);
  return exchange.over();
}

describe.for(eras)("what a server answers to a host of %s", (era) => {
  test("may be long [gateway.long]", async () => {
    await station.behave({ letters });
    const exchange = await called(era);
    expect([exchange.status, exchange.ended]).toEqual([200, "end"]);
    expect(exchange.length).toBeGreaterThan(letters);
  });

  test.for([
    ["another id", { message: '"id":999' }],
    ["an error beside the result", { message: '"error":{"code":-1,"message":"no"}' }],
    ["what it asks for", { result: '"resultType":"input_required","inputRequests":{}' }],
  ] as const)("is cut off where %s comes late [gateway.late]", async ([, late]) => {
    await station.behave({ letters, late });
    const exchange = await called(era);
    expect(exchange.ended).toBe("cut");
    expect(exchange.length).toBeLessThan(letters + 10_000);
  });

  test("is not looked for at another origin [gateway.redirect]", async () => {
    const elsewhere = await startHttpStation(place);
    try {
      await station.behave({ redirects: elsewhere.url.href });
      const exchange = await called(era);
      expect(JSON.stringify(exchange.messages)).not.toContain("called");
      expect(exchange.messages[0]?.error?.message).toContain("Countersign");
      expect((await elsewhere.received()).received).toEqual([]);
    } finally {
      await elsewhere.close();
    }
  });
});

test("nobody is asked anything because Countersign has looked at what a prompt says [gateway.own-asks]", async () => {
  const params = { message: "Of which year?", requestedSchema: { type: "object", properties: {} } };
  await station.behave({
    quietly: true,
    offers: altered(({ asks }) => {
      asks["prompts/get summary"] = { year: { method: "elicitation/create", params } };
    }),
  });
  const host = new HttpHost(gateway.url("station"));
  hosts.push(host);
  await host.initialize({ elicitation: {} });
  const stream = await host.stream().begun();
  // It is still asked what belongs to its own request.
  const id = host.nextId;
  const prompt = host.request("prompts/get", { name: "summary" });
  const asked = await prompt.told("elicitation/create");
  await host.post({ id: asked.id, result: { action: "decline" } }, host.inSession()).over();
  expect((await prompt.answerTo(id)).result).toMatchObject({ messages: [{ content: { text: "prompt summary" } }] });
  expect([...stream.messages, ...prompt.messages].filter(({ method }) => method === "elicitation/create")).toEqual([
    asked,
  ]);
});
