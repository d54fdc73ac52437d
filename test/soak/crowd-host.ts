import { Agent, type IncomingMessage, request } from "node:http";
import { setTimeout } from "node:timers/promises";

/** How one request ended. */
export type Outcome = "result" | "refused" | "failed";

/** What the hosts of a crowd have in common. */
export interface Crowd {
  /** Everything that any host was ever given, text by text. */
  readonly given: (text: string) => void;
  /** A request or a stream ended in a way that the host of a sound session cannot explain. */
  readonly lost: (what: string) => void;
  /** When a server was last killed, by `performance.now()`: a session that is older may be gone. */
  readonly killedAt: () => number;
}

/** Shared, as the connections of one client are; streams have one each. */
const posting = new Agent({ keepAlive: true, maxSockets: 64 });
const streaming = new Agent({ maxSockets: Number.POSITIVE_INFINITY });

/** One of many hosts of a server: a session with its stream, opened again where it is gone, as the protocol has it. */
export class CrowdHost {
  readonly #url: URL;
  readonly #crowd: Crowd;
  #session = "";
  /** When the session was opened, by `performance.now()`. */
  #since = 0;
  #count = 0;
  #opening: Promise<void> | undefined;
  #stream: ReturnType<typeof request> | undefined;
  #closed = false;
  /** How often the server said that its list changed. */
  changes = 0;

  constructor(url: URL, crowd: Crowd) {
    this.#url = url;
    this.#crowd = crowd;
  }

  /** Opens the session, with its stream. Tries again for as long as its server may be starting anew. */
  async open(): Promise<void> {
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    await this.#opening;
  }

  async call(name: string, args: object = {}): Promise<Outcome> {
    return this.ask("tools/call", { name, arguments: args });
  }

  /** One request, and how it ended. What a kill has broken off is not counted as lost: the session is opened again instead. */
  async ask(method: string, params: object = {}): Promise<Outcome> {
    await this.#opening;
    const since = this.#since;
    const { status, text } = await this.#post({ id: ++this.#count, method, params });
    if (status === 200 && text.includes('"result":')) return "result";
    if (status === 200 && text.includes('"review":')) return "refused";
    if (this.#closed) return "failed";
    if (since > this.#crowd.killedAt()) this.#crowd.lost(`${method}: ${status} ${text.slice(0, 300)}`);
    else if (since === this.#since) await this.open();
    return "failed";
  }

  /** Asks for one long text, and counts the bytes of the answer as they come. */
  async count(name: string, args: object): Promise<number> {
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: ++this.#count,
      method: "tools/call",
      params: { name, arguments: args },
    });
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const sent = request(this.#url, { method: "POST", headers: this.#headers(), agent: posting }, (answer) => {
      let bytes = 0;
      answer.on("data", (part: Buffer) => {
        bytes += part.length;
      });
      answer.on("end", () => resolve(bytes));
      answer.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(body);
    return promise;
  }

  close(): void {
    this.#closed = true;
    this.#stream?.destroy();
  }

  async #open(): Promise<void> {
    const stream = this.#stream;
    this.#stream = undefined;
    stream?.destroy();
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "crowd", version: "1" } };
    const late = performance.now() + 30_000;
    for (;;) {
      this.#session = "";
      const since = performance.now();
      const { status, text, session } = await this.#post({ id: ++this.#count, method: "initialize", params });
      if (this.#closed) return;
      if (status === 200 && text.includes('"result":') && session !== undefined) {
        this.#session = session;
        const told = await this.#post({ method: "notifications/initialized" });
        if (told.status === 202) {
          this.#since = since;
          this.#listen(since);
          return;
        }
      }
      if (performance.now() > late) {
        this.#crowd.lost(`a session that could not be opened: ${status} ${text.slice(0, 300)}`);
        return;
      }
      await setTimeout(250 + Math.random() * 250);
    }
  }

  #listen(since: number): void {
    const headers = { ...this.#headers(), accept: "text/event-stream" };
    const stream = request(this.#url, { headers, agent: streaming }, (answer) => {
      if (answer.statusCode !== 200) over(`status ${answer.statusCode}`);
      answer.setEncoding("utf8");
      answer.on("data", (text: string) => {
        this.#crowd.given(text);
        if (text.includes("list_changed")) this.changes++;
      });
      answer.on("error", () => over("broken off"));
      answer.on("end", () => over("ended"));
    });
    const over = (how: string) => {
      if (this.#closed || this.#stream !== stream) return;
      this.#stream = undefined;
      if (since > this.#crowd.killedAt()) this.#crowd.lost(`a stream: ${how}`);
      else void this.open();
    };
    stream.on("error", (error) => over(error.message));
    stream.end();
    this.#stream = stream;
  }

  #headers(): Record<string, string> {
    return {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(this.#session === "" ? {} : { "mcp-session-id": this.#session, "mcp-protocol-version": "2025-11-25" }),
    };
  }

  /** Status 0: there was no answer. */
  #post(message: object): Promise<{ readonly status: number; readonly text: string; readonly session?: string }> {
    const { promise, resolve } = Promise.withResolvers<{ status: number; text: string; session?: string }>();
    const failed = (error: Error) => resolve({ status: 0, text: error.message });
    const sent = request(this.#url, { method: "POST", headers: this.#headers(), agent: posting, timeout: 60_000 });
    sent.on("response", (answer: IncomingMessage) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      answer.on("error", failed);
      answer.on("end", () => {
        this.#crowd.given(text);
        const session = answer.headers["mcp-session-id"];
        resolve({ status: answer.statusCode ?? 0, text, ...(typeof session === "string" ? { session } : {}) });
      });
    });
    sent.on("timeout", () => sent.destroy(new Error("no answer within a minute")));
    sent.on("error", failed);
    sent.end(JSON.stringify({ jsonrpc: "2.0", ...message }));
    return promise;
  }
}
