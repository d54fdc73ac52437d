import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Definitions } from "./fixtures/both-eras-definitions.ts";
import { httpDefinitions } from "./fixtures/http/offer.ts";
import { type Gateway, gatewayIn } from "./rig/gateway.ts";
import { envelope, HttpHost } from "./rig/http-host.ts";
import { altered, approveThrough, type HttpStation, startHttpStation } from "./rig/http-station.ts";
import { openPlace, type Place } from "./rig/place.ts";
import type { Message } from "./rig/raw-host.ts";
import { requiredOf } from "./rig/required.ts";

/**
 * What the official conformance suite asks of an HTTP server, in our own words: first of the both-eras server itself, then
 * of the gateway in front of it. Each test names the scenarios that it stands for; the last one finds those that none does.
 */
let place: Place;
let station: HttpStation;
let gateway: Gateway;
const hosts: HttpHost[] = [];

beforeAll(async () => {
  place = openPlace();
  station = await startHttpStation(place);
  const url = station.url.href;
  const allow = ["sampling/createMessage"];
  gateway = await gatewayIn(place, {
    servers: { station: { url, allow }, observed: { url, allow, mode: "observe" } },
  });
  await approveThrough(place, gateway, "station");
});

beforeEach(async () => {
  await station.behave({});
  await station.received();
});

afterAll(async () => {
  for (const host of hosts) host.close();
  await gateway.close();
  await station.close();
  await place.close();
});

const shown = new Map<string, Set<string>>([
  ["2025-11-25", new Set()],
  ["2026-07-28", new Set()],
]);
const both = [...shown.keys()];

/** A title that cites scenarios of the suite. */
function shows(what: string, revisions: readonly string[], ...scenarios: readonly string[]): string {
  for (const revision of revisions) for (const scenario of scenarios) shown.get(revision)?.add(scenario);
  return `${what} (${scenarios.join(", ")})`;
}

const older = ["2025-11-25"];
const newer = ["2026-07-28"];

/** Says the same in either era. */
interface Asking {
  readonly host: HttpHost;
  ask(method: string, params?: Readonly<Record<string, unknown>>): Promise<Message>;
}

function hostAt(url: URL): HttpHost {
  const host = new HttpHost(url);
  hosts.push(host);
  return host;
}

async function olderHost(url: URL, capabilities: Readonly<Record<string, unknown>> = {}): Promise<Asking> {
  const host = hostAt(url);
  await host.initialize(capabilities);
  return { host, ask: (method, params) => host.ask(method, params) };
}

function newerHost(url: URL): Asking {
  const host = hostAt(url);
  return { host, ask: (method, params) => host.askModern(method, params) };
}

/** What is asked first, for each tool that asks. */
const asks: Definitions["asks"] = {
  stations: {
    place: {
      method: "elicitation/create",
      params: {
        message: "Which station?",
        requestedSchema: {
          type: "object",
          properties: {
            code: { type: "string", title: "Code", default: "abc" },
            floor: { type: "integer", default: 3 },
            height: { type: "number", default: 1.5 },
            wind: { type: "boolean", default: true },
            kind: { type: "string", enum: ["sea", "hill"], default: "hill" },
            unit: {
              type: "string",
              oneOf: [
                { const: "hPa", title: "hectopascal" },
                { const: "bar", title: "bar" },
              ],
            },
            legacy: { type: "string", enum: ["a", "b"], enumNames: ["A", "B"] },
            many: { type: "array", minItems: 1, items: { type: "string", enum: ["x", "y"] } },
          },
          required: ["code"],
        },
      },
    },
  },
  gallery: {
    caption: {
      method: "sampling/createMessage",
      params: { messages: [{ role: "user", content: { type: "text", text: "Describe the picture." } }], maxTokens: 9 },
    },
  },
  calibrate: { roots: { method: "roots/list", params: {} } },
  forecast: {
    place: {
      method: "elicitation/create",
      params: { message: "Which station?", requestedSchema: { type: "object", properties: {} } },
    },
    caption: {
      method: "sampling/createMessage",
      params: { messages: [{ role: "user", content: { type: "text", text: "Is it going to rain?" } }], maxTokens: 9 },
    },
    roots: { method: "roots/list", params: {} },
  },
  "prompts/get summary": {
    place: {
      method: "elicitation/create",
      params: { message: "Of which year?", requestedSchema: { type: "object", properties: {} } },
    },
  },
};
const sampled = { role: "assistant", model: "none", content: { type: "text", text: "clouds" } };

for (const way of ["directly", "through the gateway"] as const) {
  const url = () => (way === "directly" ? station.url : gateway.url("station"));
  /** For definitions that nobody would approve. */
  const observed = () => (way === "directly" ? station.url : gateway.url("observed"));

  describe(`${way}, a host of 2025-11-25`, () => {
    test(shows("opens a session that has a name, on a stream", older, "server-initialize", "initialize"), async () => {
      const host = hostAt(url());
      const clientInfo = { name: "host", version: "1" };
      const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
      const exchange = host.post({ id: 0, method: "initialize", params }, { "mcp-protocol-version": "2025-11-25" });
      const { result } = await exchange.answerTo(0);
      expect(result).toMatchObject({ protocolVersion: "2025-11-25", serverInfo: httpDefinitions.serverInfo });
      expect(result?.["capabilities"]).toMatchObject({ tools: {}, prompts: {}, resources: {}, completions: {} });
      expect(exchange.status).toBe(200);
      expect(exchange.headers["mcp-session-id"]).toMatch(/^[\x21-\x7e]+$/);
      host.session = exchange.headers["mcp-session-id"]?.toString();
      const told = await host.post({ method: "notifications/initialized" }, host.inSession()).over();
      expect([told.status, told.body]).toEqual([202, ""]);
      if (way === "directly") return;
      // The host's own words reach the server, once.
      const { received } = await station.received();
      const opened = received.filter(({ body }) => body?.method === "initialize");
      expect(opened.map(({ body }) => body?.params)).toEqual([params]);
      const initialized = received.filter(({ body }) => body?.method === "notifications/initialized");
      expect(initialized).toHaveLength(1);
    });

    test(
      shows(
        "asks for little things",
        older,
        ...["ping", "logging-set-level", "completion-complete", "resources-subscribe", "resources-unsubscribe"],
      ),
      async () => {
        const { ask } = await olderHost(url());
        const uri = "station://abc";
        expect((await ask("ping")).result).toEqual({});
        expect((await ask("logging/setLevel", { level: "info" })).result).toEqual({});
        expect((await ask("resources/subscribe", { uri })).result).toEqual({});
        expect((await ask("resources/unsubscribe", { uri })).result).toEqual({});
        const ref = { type: "ref/prompt", name: "report" };
        const completed = await ask("completion/complete", { ref, argument: { name: "station", value: "" } });
        expect(completed.result).toMatchObject({ completion: { values: ["abc", "xyz"] } });
      },
    );

    test(shows("hears on the stream of its call how far it is", older, "tools-call-with-logging"), async () => {
      const { host } = await olderHost(url());
      const exchange = host.request("tools/call", { name: "measure", arguments: {}, _meta: { progressToken: "t" } });
      await exchange.over();
      const methods = exchange.messages.map(({ method = "answer" }) => method.replace("notifications/", ""));
      expect(methods).toEqual([...Array(3).fill(["message", "progress"]).flat(), "answer"]);
    });

    test(
      shows(
        "is asked, on the stream of its call, and answers",
        older,
        ...[
          "tools-call-sampling",
          "tools-call-elicitation",
          "elicitation-sep1034-defaults",
          "elicitation-sep1330-enums",
        ],
      ),
      async () => {
        await station.behave({ offers: altered((all) => Object.assign(all.asks, asks)), quietly: true });
        const { host } = await olderHost(url(), { sampling: {}, elicitation: {} });
        for (const [tool, method, answer] of [
          ["stations", "elicitation/create", { action: "accept", content: { code: "abc" } }],
          ["gallery", "sampling/createMessage", sampled],
        ] as const) {
          const id = host.nextId;
          const call = host.request("tools/call", { name: tool, arguments: {} });
          const asked = await call.told(method);
          const [wanted] = Object.values(asks[tool] ?? {});
          const { message, ...rest } = wanted?.params ?? {};
          expect(asked.params).toMatchObject(rest);
          if (message !== undefined) expect(asked.params?.["message"]).toContain(message);
          const told = await host.post({ id: asked.id, result: answer }, host.inSession()).over();
          expect(told.status).toBe(202);
          expect(JSON.stringify((await call.answerTo(id)).result)).toContain(tool === "gallery" ? "clouds" : "accept");
        }
      },
    );

    test(
      shows("is asked on the stream of its session, during a call", older, "elicitation-sep1034-client-defaults"),
      async () => {
        await station.behave({
          ...{ offers: altered((all) => Object.assign(all.asks, asks)), quietly: true, asksOn: "session" },
        });
        const { host } = await olderHost(url(), { elicitation: {} });
        const stream = await host.stream().begun();
        expect([stream.status, stream.isStream]).toEqual([200, true]);
        const id = host.nextId;
        const call = host.request("tools/call", { name: "stations", arguments: {} });
        // Where that is: the answer's own stream is no worse a place.
        const asked = await Promise.any([stream.told("elicitation/create"), call.told("elicitation/create")]);
        await host.post({ id: asked.id, result: { action: "decline" } }, host.inSession()).over();
        expect(JSON.stringify((await call.answerTo(id)).result)).toContain("decline");
      },
    );

    test(shows("has a stream for each of its requests", older, "server-sse-multiple-streams"), async () => {
      const { host } = await olderHost(url());
      const lists = [1000, 1001, 1002].map((id) => ({
        ...{ id, exchange: host.post({ id, method: "tools/list" }, host.inSession()) },
      }));
      for (const { id, exchange } of lists) {
        await exchange.over();
        expect([exchange.status, exchange.isStream]).toEqual([200, true]);
        expect(exchange.messages.map((message) => message.id)).toEqual([id]);
      }
    });

    test(shows("comes back to a stream that has ended early", older, "server-sse-polling", "sse-retry"), async () => {
      const { host } = await olderHost(url());
      const id = host.nextId;
      const call = await host.request("tools/call", { name: "await-front", arguments: {} }).over();
      expect(call.ended).toBe("end");
      expect(call.events).toEqual([{ id: expect.any(String), retry: 20, data: "" }]);
      const again = host.stream(call.events[0]?.id);
      expect(toolText(await again.answerTo(id))).toBe("called await-front");
      expect([again.status, again.isStream]).toEqual([200, true]);
      expect(again.events.every((event) => event.id !== undefined)).toBe(true);
      if (way === "directly") return;
      // Nobody but the host has come back.
      const { received } = await station.received();
      expect(received.filter(({ headers }) => headers["last-event-id"] !== undefined)).toHaveLength(1);
    });

    test(shows("ends its session", older, "server-session-lifecycle"), async () => {
      const { host, ask } = await olderHost(url());
      await ask("tools/list");
      expect(await host.delete()).toBe(200);
      const late = await host.post({ id: 2, method: "tools/list" }, host.inSession()).over();
      expect(late.status).toBe(404);
      expect((await host.stream().over()).status).toBe(404);
      expect((await host.post({ id: 3, method: "tools/list" }).over()).status).toBe(400);
      if (way === "directly") return;
      await expect.poll(async () => (await station.received()).received.map(({ http }) => http)).toContain("DELETE");
    });

    test(shows("needs no session where the server has none", older, "tools_call"), async () => {
      await station.behave({ sessionless: true });
      const { host, ask } = await olderHost(url());
      const call = await ask("tools/call", { name: "calibrate", arguments: { instrument: "barometer" } });
      expect(toolText(call)).toBe("called calibrate");
      if (way === "directly") return;
      const { received } = await station.received();
      expect(received.every(({ headers }) => headers["mcp-session-id"] === undefined)).toBe(true);
      const later = received.filter(({ body }) => body?.method !== "initialize");
      expect(new Set(later.map(({ headers }) => headers["mcp-protocol-version"]))).toEqual(new Set(["2025-11-25"]));
      host.close();
    });
  });

  describe(`${way}, a host of 2026-07-28`, () => {
    const meta = envelope();

    test(shows("is told what is wrong by status, code and id", newer, "server-stateless"), async () => {
      const host = hostAt(url());
      const without = (key: string) => ({ ...meta, [`io.modelcontextprotocol/${key}`]: undefined });
      const unknown = { ...meta, "io.modelcontextprotocol/protocolVersion": "v999.0.0" };
      const rows: readonly [string, object, number, number, Record<string, string>?][] = [
        ["server/discover", {}, 400, -32602],
        ["server/discover", { _meta: without("protocolVersion") }, 400, -32602],
        ["server/discover", { _meta: without("clientCapabilities") }, 400, -32602],
        ["server/discover", { _meta: unknown }, 400, -32020],
        ["server/discover", { _meta: unknown }, 400, -32022, { "mcp-protocol-version": "v999.0.0" }],
        ...["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"].map(
          (method): [string, object, number, number] => [method, { _meta: meta }, 404, -32601],
        ),
        ["unknown/method", { _meta: meta }, 404, -32601],
        ["tasks/result", { _meta: meta }, 404, -32601],
        ["tasks/list", { _meta: meta }, 404, -32601],
      ];
      for (const [index, [method, params, status, code, headers = {}]] of rows.entries()) {
        const id = 100 + index;
        const said = { "mcp-protocol-version": "2026-07-28", "mcp-method": method, ...headers };
        const exchange = await host.post({ id, method, params }, said).over();
        const [message] = exchange.messages;
        const row = `${method} ${JSON.stringify(params)}`;
        expect([row, exchange.status, message?.error?.code, message?.id]).toEqual([row, status, code, id]);
        if (code === -32022) expect(message?.error?.data).toEqual({ supported: ["2026-07-28"], requested: "v999.0.0" });
      }
      const anonymous = await host.askModern("server/discover", { _meta: without("clientInfo") });
      expect(anonymous.error).toBeUndefined();
      expect(anonymous.result).toMatchObject({
        supportedVersions: ["2026-07-28"],
        capabilities: {
          tools: { listChanged: true },
          prompts: {},
          extensions: { "io.modelcontextprotocol/tasks": {} },
        },
        _meta: { "io.modelcontextprotocol/serverInfo": httpDefinitions.serverInfo },
      });
    });

    test(
      shows(
        "says everything in headers too, or is refused",
        newer,
        ...["http-header-validation", "http-custom-header-server-validation"],
        ...["http-standard-headers", "http-custom-headers"],
      ),
      async () => {
        const host = hostAt(url());
        const call = { name: "locate", arguments: { region: "Hello" } };
        const said = { "mcp-method": "tools/call", "mcp-name": "locate", "mcp-param-region": "Hello" };
        const rows: readonly [Record<string, string>, boolean, object?][] = [
          [{}, true],
          [{ "mcp-method": "" }, false],
          [{ "mcp-method": "prompts/get" }, false],
          [{ "mcp-method": "TOOLS/CALL" }, false],
          [{ "mcp-method": "", "MCP-METHOD": "tools/call" }, true],
          [{ "mcp-name": "" }, false],
          [{ "mcp-name": "stations" }, false],
          [{ "mcp-name": "  locate  " }, true],
          [{ "mcp-param-region": "" }, false],
          [{ "mcp-param-region": "Bye" }, false],
          [{ "mcp-param-region": "=?base64?SGVsbG8=?=" }, true],
          [{ "mcp-param-region": "=?base64?SGVsbG8?=" }, false],
          [{ "mcp-param-region": "=?base64?SGVs!!!bG8=?=" }, false],
          [{ "mcp-param-region": "SGVsbG8=" }, true, { region: "SGVsbG8=" }],
          [{ "mcp-param-region": "=?base64?SGVsbG8=" }, true, { region: "=?base64?SGVsbG8=" }],
          [{ "mcp-param-region": "=?base64?w4V=?=" }, false, { region: "Å" }],
          [{ "mcp-param-region": "=?base64?w4U=?=" }, true, { region: "Å" }],
          [{ "mcp-param-region": "" }, true, { radius: 3 }],
        ];
        for (const [headers, accepted, args] of rows) {
          const exchange = await host
            .modern("tools/call", { ...call, arguments: args ?? call.arguments }, { ...said, ...headers })
            .over();
          const code = exchange.messages[0]?.error?.code;
          expect([headers, exchange.status, code]).toEqual([
            headers,
            accepted ? 200 : 400,
            accepted ? undefined : -32020,
          ]);
        }
        if (way === "directly") return;
        // What the server is told beside a body says what the body says, whoever has asked.
        const { received } = await station.received();
        for (const { headers, body } of received) {
          const { name, arguments: args } = (body?.params ?? {}) as { name?: string; arguments?: { region?: string } };
          expect(headers["mcp-method"]).toBe(body?.method);
          expect(headers["mcp-name"]).toBe(name);
          expect(headers["mcp-param-region"] === undefined).toBe(args?.region === undefined);
        }
      },
    );

    test(shows("keeps nothing for longer than it may", newer, "caching"), async () => {
      const { ask } = newerHost(url());
      const lists = ["tools/list", "prompts/list", "resources/list", "resources/templates/list", "server/discover"];
      for (const [method, params] of [
        ...lists.map((list): [string, object] => [list, {}]),
        ["resources/read", { uri: "station://abc" }] as const,
      ]) {
        const { result } = await ask(method, params as Record<string, unknown>);
        const { ttlMs, cacheScope } = result ?? {};
        const definitions = way === "through the gateway" && method !== "resources/read";
        expect([method, ttlMs, cacheScope]).toEqual(definitions ? [method, 0, "private"] : [method, 60_000, "public"]);
      }
    });

    test(shows("finds no resource that there is not", newer, "sep-2164-resource-not-found"), async () => {
      const { ask } = newerHost(url());
      const uri = "station://nowhere";
      const { error, result } = await ask("resources/read", { uri });
      expect(result).toBeUndefined();
      expect(error).toMatchObject({ code: -32602, data: { uri } });
    });

    test(shows("has one answer for each of many requests", newer, "server-sse-multiple-streams"), async () => {
      const host = hostAt(url());
      // Hosts that know nothing of one another number their requests alike.
      const said = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" };
      const message = { id: 1, method: "tools/list", params: { _meta: meta } };
      const all = await Promise.all([1, 2, 3].map(() => host.post(message, said).over()));
      expect(all.map(({ status, isStream, messages }) => [status, isStream, messages.length])).toEqual(
        Array(3).fill([200, false, 1]),
      );
    });

    test("hears of changes, of what it wants to hear and of nothing else [gateway.listen]", async () => {
      const host = hostAt(url());
      const tools = await host.listen("toolsListChanged");
      const prompts = await host.listen("promptsListChanged");
      expect([tools.status, tools.isStream]).toEqual([200, true]);
      await station.behave({ offers: altered((all) => all.tools.reverse()) });
      await tools.told("notifications/tools/list_changed");
      await prompts.told("notifications/prompts/list_changed");
      for (const [stream, id, other] of [
        [tools, 1, "notifications/prompts/list_changed"],
        [prompts, 2, "notifications/tools/list_changed"],
      ] as const) {
        expect(stream.messages[0]?.method).toBe("notifications/subscriptions/acknowledged");
        expect(stream.messages.map(({ method }) => method)).not.toContain(other);
        const ids = stream.messages.map(({ params }) => (params?.["_meta"] as Record<string, unknown>)?.[subscription]);
        expect(new Set(ids)).toEqual(new Set([id]));
      }
      tools.abort();
      prompts.abort();
      // Whoever hangs up ends what the server says to it.
      await expect.poll(async () => (await station.received()).listeners).toBe(0);
    });

    test(
      shows(
        "is asked by a result, and says what it was told again",
        newer,
        ...["basic-elicitation", "basic-sampling", "basic-list-roots", "request-state", "multiple-input-requests"].map(
          mrtr,
        ),
        ...["multi-round", "missing-input-response", "result-type", "tampered-state", "capability-check"].map(mrtr),
        ...["ignore-extra-params", "validate-input", "non-tool-request", "unsupported-methods"].map(mrtr),
        "sep-2322-client-request-state",
      ),
      async () => {
        await station.behave({ offers: altered((all) => Object.assign(all.asks, asks)), quietly: true });
        const { ask } = newerHost(url());
        const _meta = envelope({ elicitation: {}, sampling: {}, roots: {} });
        const answers = {
          place: { action: "accept", content: { code: "abc" } },
          caption: sampled,
          roots: { roots: [] },
        };
        for (const [tool, wanted] of Object.entries(asks)) {
          const [method, name] = tool.startsWith("prompts/get ")
            ? (["prompts/get", tool.slice(12)] as const)
            : (["tools/call", tool] as const);
          const args = { calibrate: { instrument: "barometer" }, forecast: { station: "abc" } }[name] ?? {};
          const call = { name, _meta, ...(method === "tools/call" ? { arguments: args } : {}) };
          const first = (await ask(method, call)).result;
          expect(first?.["resultType"]).toBe("input_required");
          expect(Object.keys(first?.["inputRequests"] as object)).toEqual(Object.keys(wanted));
          const { requestState } = first as unknown as { requestState: string };
          const needed = Object.keys(wanted).map((key) => [key, answers[key as keyof typeof answers]]);
          // Wrong, none, or not even an answer: it is asked again.
          for (const inputResponses of [{ wrong: sampled }, { [Object.keys(wanted)[0] ?? ""]: 12345 }, null]) {
            if (method === "prompts/get") continue;
            const again = await ask(method, { ...call, requestState, inputResponses });
            expect(again.result?.["resultType"]).toBe("input_required");
          }
          const inputResponses = { ...Object.fromEntries(needed), unheard: { action: "accept" } };
          if (method === "tools/call") {
            const tampered = await ask(method, { ...call, requestState: `${requestState}x`, inputResponses });
            expect(tampered.error?.code).toBe(-32602);
            const done = (await ask(method, { ...call, requestState, inputResponses })).result;
            expect(done?.["resultType"]).toBe("complete");
            expect(JSON.parse(toolText({ ...(done === undefined ? {} : { result: done }) }) ?? "")).toEqual({
              inputResponses,
              requestState,
            });
          } else {
            const done = (await ask(method, { ...call, requestState, inputResponses })).result;
            expect(done?.["messages"]).toHaveLength(1);
          }
        }
        const lacking = await ask("tools/call", {
          name: "gallery",
          arguments: {},
          _meta: envelope({ elicitation: {} }),
        });
        expect(lacking.error).toMatchObject({ code: -32021, data: { requiredCapabilities: { sampling: {} } } });
        expect((await ask("tools/list")).result?.["resultType"]).toBe("complete");
      },
    );

    test(
      shows(
        "has what takes long as a task",
        newer,
        ...["lifecycle", "capability-negotiation", "wire-fields", "request-state-removal", "mrtr-input"].map(tasks),
        ...["request-headers", "dispatch-and-envelope", "status-notifications", "required-task-error"].map(tasks),
        tasks("mrtr-composition"),
      ),
      async () => {
        const { host, ask } = newerHost(url());
        const _meta = envelope({ extensions: { "io.modelcontextprotocol/tasks": {} }, elicitation: {} });
        const call = { name: "archive", arguments: { year: 2025 } };
        expect((await ask("tools/call", call)).result).toMatchObject({ resultType: "complete" });
        const begun = (await ask("tools/call", { ...call, _meta })).result;
        expect(begun).toMatchObject({ resultType: "task", status: "working", ttlMs: 60_000, pollIntervalMs: 10 });
        expect(begun).not.toHaveProperty("result");
        const taskId = String(begun?.["taskId"]);
        const inputRequests = asks["stations"];
        await station.behave({ task: { status: "input_required", inputRequests } });
        const waits = (await ask("tasks/get", { taskId, _meta })).result;
        expect(waits).toMatchObject({ taskId, status: "input_required", resultType: "complete" });
        const question = JSON.stringify((waits?.["inputRequests"] as Record<string, unknown> | undefined)?.["place"]);
        expect(question).toContain("Which station?");
        if (way !== "directly") expect(question).toContain("⟦server station asks⟧");
        const inputResponses = { place: { action: "decline" } };
        expect((await ask("tasks/update", { taskId, inputResponses, _meta })).result).toEqual(acknowledgement);
        await station.behave({});
        const done = (await ask("tasks/get", { taskId, _meta })).result;
        expect(done).toMatchObject({ status: "completed", result: { content: [{ text: "called archive" }] } });
        expect((await ask("tasks/cancel", { taskId, _meta })).result).toEqual(acknowledgement);
        const unknown = await ask("tasks/get", { taskId: "none", _meta });
        expect(unknown.error?.code).toBe(-32602);
        const undeclared = host.modern("tasks/get", { taskId });
        expect((await undeclared.over()).messages[0]?.error?.code).toBe(-32021);
        expect(undeclared.status).toBe(400);
        const elsewhere = await host.modern("tasks/get", { taskId, _meta }, { "mcp-name": "other" }).over();
        expect([elsewhere.status, elsewhere.messages[0]?.error?.code]).toEqual([400, -32020]);
      },
    );

    test(
      shows(
        "gets whatever a client has to deal with itself",
        newer,
        ...["http-invalid-tool-headers", "json-schema-ref-no-deref"],
      ),
      async () => {
        const canary = new URL("/canary.json", station.url).href;
        await station.behave({
          quietly: true,
          offers: altered((all) => {
            const properties = { value: { type: "string", "x-mcp-header": "" }, profile: { $ref: canary } };
            all.tools.push({ name: "odd", description: "Odd.", inputSchema: { type: "object", properties } });
          }),
        });
        const { ask } = newerHost(observed());
        const listed = (await ask("tools/list")).result?.tools?.find(({ name }) => name === "odd");
        expect(listed?.["inputSchema"]).toMatchObject({ properties: { profile: { $ref: canary } } });
        const other = await ask("tools/call", { name: "stations", arguments: {} });
        expect(toolText(other)).toBe("called stations");
        const { received } = await station.received();
        expect(received.filter(({ http }) => http === "GET")).toEqual([]);
      },
    );

    test(shows("says who it is, and so does whoever asks for it", newer, "request-metadata"), async () => {
      const { ask } = newerHost(url());
      await station.behave({ offers: altered((all) => all.tools.reverse()) });
      await ask("tools/list");
      await ask("tools/call", { name: "stations", arguments: {} });
      const { received } = await station.received();
      expect(received.length).toBeGreaterThan(1);
      for (const { headers, body } of received) {
        const said = (body?.params as { _meta?: Record<string, unknown> } | undefined)?._meta;
        expect(said).toMatchObject(meta);
        expect(headers["mcp-protocol-version"]).toBe("2026-07-28");
        expect(headers["mcp-session-id"]).toBeUndefined();
      }
    });
  });

  describe.for(both)(`${way}, a host of %s`, (revision) => {
    const opened = async () => (revision === "2025-11-25" ? olderHost(url()) : newerHost(url()));

    test(
      shows(
        "lists what is offered",
        both,
        ...["tools-list", "resources-list", "prompts-list", "json-schema-2020-12", "json-schema-2020-12-preservation"],
      ),
      async () => {
        const { ask } = await opened();
        for (let n = 0; n < 2; n++) expect((await ask("tools/list")).result?.tools).toEqual(httpDefinitions.tools);
        expect((await ask("prompts/list")).result?.prompts).toEqual(httpDefinitions.prompts);
        expect((await ask("resources/list")).result?.resources).toEqual(httpDefinitions.resources);
        const templates = (await ask("resources/templates/list")).result?.resourceTemplates;
        expect(templates).toEqual(httpDefinitions.resourceTemplates);
      },
    );

    test(
      shows(
        "calls",
        both,
        ...["tools_call", "tools-call-simple-text", "tools-call-image", "tools-call-audio"],
        ...["tools-call-embedded-resource", "tools-call-mixed-content", "tools-call-error"],
      ),
      async () => {
        const { ask } = await opened();
        expect(toolText(await ask("tools/call", { name: "stations", arguments: {} }))).toBe("called stations");
        const { content } = (await ask("tools/call", { name: "gallery", arguments: {} })).result ?? {};
        expect(content).toEqual(httpDefinitions.bodies["tools/call gallery"]?.["content"]);
        const failed = (await ask("tools/call", { name: "broken-gauge", arguments: {} })).result;
        expect(failed).toMatchObject({ isError: true, content: [{ type: "text" }] });
        const unknown = await ask("tools/call", { name: "nothing", arguments: {} });
        expect(unknown.error?.code).toBe(-32602);
      },
    );

    test(
      shows(
        "reads",
        both,
        ...["resources-read-text", "resources-read-binary", "resources-templates-read", "prompts-get-simple"],
        ...["prompts-get-with-args", "prompts-get-embedded-resource", "prompts-get-with-image"],
      ),
      async () => {
        const { ask } = await opened();
        const { bodies } = httpDefinitions;
        const text = (await ask("resources/read", { uri: "station://abc" })).result;
        expect(text).toMatchObject({ contents: [{ text: "1013 hPa" }] });
        const blob = (await ask("resources/read", { uri: "station://xyz" })).result;
        expect(blob).toMatchObject(bodies["resources/read station://xyz"] ?? {});
        const uri = "history://abc/2026-12-01";
        expect((await ask("resources/read", { uri })).result).toMatchObject({ contents: [{ uri }] });
        const simple = (await ask("prompts/get", { name: "summary" })).result;
        expect(simple).toMatchObject({ messages: [{ content: { text: "prompt summary" } }] });
        const report = (await ask("prompts/get", { name: "report", arguments: { station: "abc" } })).result;
        expect(report).toMatchObject(bodies["prompts/get report"] ?? {});
      },
    );

    test(shows("is told how far a call is", both, "tools-call-with-progress"), async () => {
      const { host } = await opened();
      const params = { name: "measure", arguments: {}, _meta: { progressToken: "t" } };
      const call = revision === "2025-11-25" ? host.request("tools/call", params) : host.modern("tools/call", params);
      await call.over();
      const steps = call.messages.filter(({ method }) => method === "notifications/progress");
      expect(steps.map(({ params }) => params?.["progress"])).toEqual([0, 50, 100]);
      expect(call.messages.at(-1)).toHaveProperty("result");
      expect(call.isStream).toBe(true);
    });

    test(shows("completes", both, "completion-complete"), async () => {
      const { ask } = await opened();
      const argument = { name: "station", value: "" };
      const { result } = await ask("completion/complete", { ref: { type: "ref/prompt", name: "report" }, argument });
      expect(result).toMatchObject({ completion: { values: ["abc", "xyz"] } });
    });

    test(shows("is who it says it is, and nobody from elsewhere", both, "dns-rebinding-protection"), async () => {
      const host = hostAt(url());
      const clientInfo = { name: "host", version: "1" };
      const [method, params] =
        revision === "2025-11-25"
          ? ["initialize", { protocolVersion: revision, capabilities: {}, clientInfo }]
          : ["server/discover", { _meta: envelope() }];
      const from = async (name: string) => {
        const headers = {
          host: name,
          origin: `http://${name}`,
          "mcp-protocol-version": revision,
          "mcp-method": method,
        };
        const exchange = await host.post({ id: 1, method, params }, headers as Record<string, string>).begun();
        return exchange.status;
      };
      expect(await from("evil.example.com")).toBe(403);
      expect(await from(url().host)).toBe(200);
      expect(await from(url().host.replace("127.0.0.1", "localhost"))).toBe(200);
    });
  });
}

test("every scenario of the suite is shown [gateway.scenarios]", () => {
  for (const [revision, scenarios] of shown) {
    expect(requiredOf(revision).filter((scenario) => !scenarios.has(scenario))).toEqual([]);
    expect(requiredOf(revision).length).toBeGreaterThan(30);
  }
});

const subscription = "io.modelcontextprotocol/subscriptionId";
const acknowledgement = expect.objectContaining({ resultType: "complete" });

function mrtr(name: string): string {
  return `input-required-result-${name}`;
}

function tasks(name: string): string {
  return `tasks-${name}`;
}

function toolText({ result }: Pick<Message, "result">): string | undefined {
  return (result?.["content"] as readonly { readonly text?: string }[] | undefined)?.[0]?.text;
}
