import { asServerName, type Offer, type Ruling, type ServerName } from "@countersign/core";
import { describe, expect, test } from "vitest";
import { onlyLists } from "../only-lists.ts";
import type { WireEvent } from "../wire-event.ts";
import type { ClientTransport } from "./client-transport.ts";
import { guardClientTransport } from "./guard-client-transport.ts";

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A transport with a server behind it that does what a test says. */
class Scripted implements ClientTransport {
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  onmessage: ((message: never) => void) | undefined;
  readonly sent: { readonly message: Message; readonly options: unknown }[] = [];
  readonly versions: string[] = [];
  hasPerRequestStream = false;
  started = 0;
  answer: (message: Message) => unknown = () => undefined;

  async start(): Promise<void> {
    this.started++;
  }
  async send(message: Message, options?: unknown): Promise<void> {
    this.sent.push({ message, options });
    const said = this.answer(message);
    if (said instanceof Error) throw said;
    if (said !== undefined) this.say(said);
  }
  async close(): Promise<void> {
    this.onclose?.();
  }
  setProtocolVersion(version: string): void {
    this.versions.push(version);
  }
  say(message: unknown): void {
    this.onmessage?.(message as never);
  }
}

const bindAll = async (offer: Offer): Promise<readonly Ruling[]> =>
  offer.definitions.map(({ address, text, received }) => ({
    ...{ address, received, reasons: [], verdict: "bind" },
    rendering: { text, digest: received },
  }));

function open(scripted: Scripted, rule = bindAll) {
  const events: WireEvent[] = [];
  const state = { closed: 0, started: 0 };
  const guarded = guardClientTransport(scripted, async () => ({
    guard: {
      ...onlyLists,
      ...{ server: asServerName("notes") as ServerName, rule, nonce: "own" },
      known: async () => true,
      report: (event) => events.push(event),
      checkpoints: { load: false, change: false, refetchOnCall: false },
    },
    started: () => state.started++,
    close: async () => {
      state.closed++;
    },
  }));
  const heard: Message[] = [];
  const errors: Error[] = [];
  guarded.onmessage = (message) => heard.push(message as Message);
  guarded.onerror = (error) => errors.push(error);
  return { guarded, heard, errors, events, state };
}

const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const tool = { name: "read", inputSchema: { type: "object" } };
const tools = { jsonrpc: "2.0", id: 1, result: { tools: [tool] } };
/** Whatever the guard does for a message, it has done. */
const settled = () => new Promise((done) => setTimeout(done, 20));

describe("guardClientTransport()", () => {
  test("hands on what was judged, never the value that came", async () => {
    const scripted = new Scripted();
    const said = { ...tools, result: { ...tools.result, toString: () => "hidden" } };
    scripted.answer = () => said;
    const { guarded, heard } = open(scripted);
    await guarded.start();
    await guarded.send(list);
    await settled();
    expect(heard).toEqual([{ jsonrpc: "2.0", id: 1, result: { tools: [tool] } }]);
    expect(heard[0]).not.toBe(said);
  });

  test("keeps a key that is called __proto__ a key", async () => {
    const scripted = new Scripted();
    scripted.answer = () =>
      JSON.parse('{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","inputSchema":{"__proto__":{"x":1}}}]}}');
    const { guarded, heard } = open(scripted);
    await guarded.start();
    await guarded.send(list);
    await settled();
    expect(JSON.stringify(heard[0]?.result)).toContain('"__proto__":{"x":1}');
  });

  test("hands options on with the client's own request, and none with the guard's", async () => {
    const scripted = new Scripted();
    const options = { resumptionToken: "token" };
    const { guarded } = open(scripted);
    await guarded.start();
    await guarded.send({ jsonrpc: "2.0", id: 1, method: "initialize", params: {} }, options);
    scripted.say({
      jsonrpc: "2.0",
      id: 1,
      result: { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "a", version: "1" } },
    });
    await settled();
    expect(scripted.sent.map(({ message, options }) => [message.method, options])).toEqual([
      ["initialize", options],
      ["notifications/initialized", undefined],
    ]);
    expect(scripted.versions).toEqual(["2025-11-25"]);
  });

  test("rejects a send that the transport rejects, and forgets the request", async () => {
    const scripted = new Scripted();
    const unauthorized = new Error("unauthorized");
    scripted.answer = () => unauthorized;
    const { guarded, heard } = open(scripted);
    await guarded.start();
    await expect(guarded.send(list)).rejects.toBe(unauthorized);
    await expect(guarded.send({ jsonrpc: "2.0", method: "notifications/roots/list_changed" })).rejects.toBe(
      unauthorized,
    );
    expect(heard).toEqual([]);
    // The same id is free again, and nothing was said of the one that was never sent.
    scripted.answer = ({ method }) => (method === "tools/list" ? tools : undefined);
    await guarded.send(list);
    await settled();
    expect(heard.length).toBe(1);
    expect(scripted.sent.map(({ message }) => message.method)).not.toContain("notifications/cancelled");
  });

  test("takes a request back whose stream the client ends, and says nothing of it", async () => {
    const scripted = new Scripted();
    scripted.hasPerRequestStream = true;
    const { guarded, heard, events } = open(scripted);
    await guarded.start();
    const abort = new AbortController();
    await guarded.send(list, { requestSignal: abort.signal });
    abort.abort();
    await settled();
    expect(scripted.sent.map(({ message }) => message.method)).toEqual(["tools/list"]);
    scripted.say(tools);
    await settled();
    expect(heard).toEqual([]);
    expect(events).toContainEqual({ is: "unasked-answer", from: "server" });
  });

  test("answers for a message that cannot be written out", async () => {
    const scripted = new Scripted();
    const circle: Record<string, unknown> = { jsonrpc: "2.0", id: 1, result: {} };
    circle["result"] = circle;
    let deep: unknown = {};
    for (let depth = 0; depth < 100_000; depth++) deep = [deep];
    for (const result of [circle["result"], deep, { large: 10n }, { tools: ["\ud800"] }]) {
      scripted.answer = () => ({ jsonrpc: "2.0", id: 1, result });
      const { guarded, heard } = open(scripted);
      await guarded.start();
      await guarded.send(list);
      await settled();
      expect(heard.map(({ id, error }) => [id, error?.message])).toEqual([
        [1, expect.stringMatching(/^Countersign refused the server's answer: (?:TOO_LARGE|LONE_SURROGATE)$/)],
      ]);
    }
  });

  test("reports what no client may be given, and gives it nothing", async () => {
    const scripted = new Scripted();
    const { guarded, heard, events } = open(scripted);
    await guarded.start();
    for (const message of [[tools], null, "text", undefined, { ...tools, method: "x" }, { ...tools, more: 1 }])
      scripted.say(message);
    await settled();
    expect(heard).toEqual([]);
    expect(events.every(({ is }) => is === "frame-refused")).toBe(true);
    expect(events.length).toBe(6);
  });

  test("withholds when what rules is broken", async () => {
    const scripted = new Scripted();
    scripted.answer = () => tools;
    const { guarded, heard, events } = open(scripted, async () => {
      throw new Error("the ledger is gone");
    });
    await guarded.start();
    await guarded.send(list);
    await settled();
    expect(heard).toEqual([
      {
        jsonrpc: "2.0",
        id: 1,
        error: { code: -32603, message: "Countersign could not judge this, so it is withheld" },
      },
    ]);
    expect(events).toContainEqual({ is: "broken", what: "result", error: "the ledger is gone" });
  });

  test("is not broken by a client that throws", async () => {
    const scripted = new Scripted();
    scripted.answer = () => tools;
    const { guarded, errors, events } = open(scripted);
    guarded.onmessage = () => {
      throw new Error("the client's own");
    };
    await guarded.start();
    await guarded.send(list);
    await settled();
    expect(errors.map(({ message }) => message)).toEqual(["the client's own"]);
    expect(events.some(({ is }) => is === "broken")).toBe(false);
  });

  test("starts nothing where opening fails, once, and not after it was closed", async () => {
    const scripted = new Scripted();
    const refusing = guardClientTransport(scripted, async () => {
      throw new Error("no ledger");
    });
    await expect(refusing.start()).rejects.toThrow("no ledger");
    await expect(refusing.start()).rejects.toThrow("twice");
    await expect(refusing.send(list)).rejects.toThrow("not connected");
    const { guarded, state } = open(scripted);
    const starting = guarded.start();
    await guarded.close();
    await expect(starting).rejects.toThrow("closed meanwhile");
    expect(scripted.started).toBe(0);
    expect(state).toEqual({ closed: 1, started: 0 });
  });

  test("lets go of everything once, whoever hangs up, and says so once", async () => {
    for (const hangUp of [
      (one: ReturnType<typeof open>) => one.guarded.close(),
      async (_: unknown, scripted: Scripted) => scripted.onclose?.(),
    ]) {
      const scripted = new Scripted();
      let seen = 0;
      scripted.onclose = () => seen++;
      const opened = open(scripted);
      let told = 0;
      opened.guarded.onclose = () => told++;
      await opened.guarded.start();
      await hangUp(opened, scripted);
      await opened.guarded.close();
      await opened.guarded.close();
      expect([told, opened.state.closed, opened.state.started]).toEqual([1, 1, 1]);
      expect(seen).toBeGreaterThan(0);
      await expect(opened.guarded.send(list)).rejects.toThrow("not connected");
      scripted.say(tools);
      await settled();
      expect(opened.heard).toEqual([]);
    }
  });

  test("lets go where the transport within does not start", async () => {
    const scripted = new Scripted();
    scripted.start = async () => {
      throw new Error("ENOENT");
    };
    const { guarded, state } = open(scripted);
    await expect(guarded.start()).rejects.toThrow("ENOENT");
    expect(state).toEqual({ closed: 1, started: 0 });
  });

  test("shows of a process that it is one, and nothing by which another could be started", () => {
    const scripted = Object.assign(new Scripted(), { stderr: null, pid: 7, _serverParams: { command: "node" } });
    const { guarded } = open(scripted);
    expect("pid" in guarded && guarded.pid).toBe(7);
    expect("stderr" in guarded && guarded.stderr).toBeNull();
    expect("_serverParams" in guarded).toBe(false);
    expect("pid" in open(new Scripted()).guarded).toBe(false);
  });
});
