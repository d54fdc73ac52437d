import { EventEmitter, once } from "node:events";
import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import type { Message, Result } from "./raw-host.ts";

/** One event of a stream, as it stood there. */
export interface Event {
  readonly id: string | undefined;
  readonly retry: number | undefined;
  readonly data: string;
}

type Headers = Readonly<Record<string, string>>;

/** What a modern host puts on every request. */
export function envelope(capabilities: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": capabilities,
    "io.modelcontextprotocol/clientInfo": { name: "http-host", version: "1" },
  };
}

/** One HTTP request and what is answered to it, event by event. */
export class HttpExchange {
  status = 0;
  headers: IncomingHttpHeaders = {};
  readonly events: Event[] = [];
  /** The messages of the events, or the one of the body. */
  readonly messages: Message[] = [];
  /** The beginning of it. */
  body = "";
  /** How long all of it was. */
  length = 0;
  /** How it ended: with its end, or broken off. */
  ended: "end" | "cut" | undefined;
  readonly #request: ReturnType<typeof request>;
  readonly #news = new EventEmitter();
  #rest = "";

  constructor(url: URL, method: string, headers: Headers, body: string | undefined) {
    this.#request = request(url, { method, headers }, (answer) => this.#read(answer));
    this.#request.on("error", () => this.#ends("cut"));
    this.#request.end(body);
  }

  get isStream(): boolean {
    return this.headers["content-type"]?.startsWith("text/event-stream") === true;
  }

  /** Waits for the head of the answer. */
  async begun(): Promise<this> {
    await this.until("an answer to begin", () => (this.status === 0 && this.ended === undefined ? undefined : true));
    return this;
  }

  /** Waits for the end. */
  async over(): Promise<this> {
    await this.until("the end", () => this.ended);
    return this;
  }

  /** The answer to a request, wherever among the messages it stands. */
  answerTo(id: string | number): Promise<Message> {
    return this.until(`the answer to ${id}`, () =>
      this.messages.find((message) => message.id === id && message.method === undefined),
    );
  }

  told(method: string, n = 1): Promise<Message> {
    return this.until(`${n} times ${method}`, () => this.messages.filter((one) => one.method === method)[n - 1]);
  }

  async until<T>(what: string, find: () => T | undefined, milliseconds = 10_000): Promise<T> {
    const late = AbortSignal.timeout(milliseconds);
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      if (late.aborted || this.ended !== undefined) {
        const seen = `${this.status} ${JSON.stringify(this.headers)}\n${this.body.slice(0, 2_000)}`;
        throw new Error(
          `Waited for ${what}${late.aborted ? "" : ` until it ended (${this.ended})`}; received:\n${seen}`,
        );
      }
      try {
        await once(this.#news, "news", { signal: late });
      } catch (error) {
        if (!late.aborted) throw error;
      }
    }
  }

  /** Hangs up. */
  abort(): void {
    this.#request.destroy();
  }

  #read(answer: IncomingMessage): void {
    this.status = answer.statusCode ?? 0;
    this.headers = answer.headers;
    this.#news.emit("news");
    answer.setEncoding("utf8");
    answer.on("data", (text: string) => {
      this.length += text.length;
      if (this.body.length < 1_000_000) this.body += text;
      if (this.isStream) this.#readEvents(text);
      this.#news.emit("news");
    });
    answer.on("end", () => {
      if (!this.isStream && this.body.startsWith("{") && this.length === this.body.length)
        this.messages.push(JSON.parse(this.body) as Message);
      this.#ends("end");
    });
    answer.on("error", () => this.#ends("cut"));
    answer.on("close", () => this.#ends("cut"));
  }

  #ends(how: "end" | "cut"): void {
    this.ended ??= how;
    this.#news.emit("news");
  }

  #readEvents(text: string): void {
    const parts = (this.#rest + text).split("\n\n");
    this.#rest = parts.pop() ?? "";
    for (const part of parts) {
      const lines = part.split("\n");
      const field = (name: string) =>
        lines
          .find((line) => line.startsWith(`${name}:`))
          ?.slice(name.length + 1)
          .trim();
      const data = lines
        .filter((line) => line.startsWith("data:"))
        .map((line) => line.slice(5).trim())
        .join("\n");
      const retry = field("retry");
      if (lines.every((line) => line.startsWith(":") || line === "")) continue;
      this.events.push({ id: field("id"), retry: retry === undefined ? undefined : Number(retry), data });
      if (data !== "") this.messages.push(JSON.parse(data) as Message);
    }
  }
}

/** A host over HTTP that shows everything it is given: each status, header, stream and event. Of both eras. */
export class HttpHost {
  readonly url: URL;
  session: string | undefined;
  readonly #headers: Headers;
  readonly #exchanges: HttpExchange[] = [];
  #count = 0;

  /** @param headers for every request, as `authorization` */
  constructor(url: URL, headers: Headers = {}) {
    this.url = url;
    this.#headers = headers;
  }

  get nextId(): number {
    return this.#count + 1;
  }

  /** POSTs anything. A header that is given as an empty text is left out. */
  post(message: object | string, headers: Headers = {}): HttpExchange {
    const body = typeof message === "string" ? message : JSON.stringify({ jsonrpc: "2.0", ...message });
    const accepts = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    return this.#exchange("POST", { ...accepts, ...headers }, body);
  }

  /** A request of 2025-11-25, in the session where there is one. */
  request(method: string, params?: Readonly<Record<string, unknown>>, headers: Headers = {}): HttpExchange {
    const id = ++this.#count;
    return this.post({ id, method, ...(params === undefined ? {} : { params }) }, { ...this.inSession(), ...headers });
  }

  /** As `request`, and waits for the answer on its own stream. */
  async ask(method: string, params?: Readonly<Record<string, unknown>>, headers: Headers = {}): Promise<Message> {
    const id = this.nextId;
    return this.request(method, params, headers).answerTo(id);
  }

  async initialize(capabilities: Readonly<Record<string, unknown>> = {}): Promise<Message> {
    const clientInfo = { name: "http-host", version: "1" };
    const id = ++this.#count;
    const params = { protocolVersion: "2025-11-25", capabilities, clientInfo };
    const exchange = this.post({ id, method: "initialize", params });
    const answer = await exchange.answerTo(id);
    this.session = exchange.headers["mcp-session-id"]?.toString();
    await this.post({ method: "notifications/initialized" }, this.inSession()).over();
    return answer;
  }

  /** The stream of the session, or what came after an event. */
  stream(lastEventId?: string): HttpExchange {
    const last = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
    return this.#exchange("GET", { accept: "text/event-stream", ...this.inSession(), ...last }, undefined);
  }

  async delete(): Promise<number> {
    const { status } = await this.#exchange("DELETE", this.inSession(), undefined).over();
    return status;
  }

  get(headers: Headers): HttpExchange {
    return this.#exchange("GET", headers, undefined);
  }

  /** A request of 2026-07-28, with what its headers have to say. */
  modern(method: string, params: Readonly<Record<string, unknown>> = {}, headers: Headers = {}): HttpExchange {
    const id = ++this.#count;
    const { _meta, ...rest } = params as { _meta?: Record<string, unknown> };
    const named = rest as { name?: string; uri?: string; taskId?: string };
    const name = { "tools/call": named.name, "prompts/get": named.name, "resources/read": named.uri }[method];
    const said = name ?? (method.startsWith("tasks/") ? named.taskId : undefined);
    return this.post(
      { id, method, params: { ...rest, _meta: { ...envelope(), ..._meta } } },
      {
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": method,
        ...(said === undefined ? {} : { "mcp-name": said }),
        ...headers,
      },
    );
  }

  async askModern(
    method: string,
    params: Readonly<Record<string, unknown>> = {},
    headers: Headers = {},
  ): Promise<Message> {
    const id = this.nextId;
    return this.modern(method, params, headers).answerTo(id);
  }

  /** Opens a stream of changes. Resolves when it is acknowledged. */
  async listen(...wants: readonly string[]): Promise<HttpExchange> {
    const notifications = Object.fromEntries(wants.map((want) => [want, true]));
    const exchange = this.modern("subscriptions/listen", { notifications });
    await exchange.told("notifications/subscriptions/acknowledged");
    return exchange;
  }

  inSession(): Headers {
    return {
      "mcp-protocol-version": "2025-11-25",
      ...(this.session === undefined ? {} : { "mcp-session-id": this.session }),
    };
  }

  /** Hangs up wherever something is still open. */
  close(): void {
    for (const exchange of this.#exchanges) if (exchange.ended === undefined) exchange.abort();
  }

  #exchange(method: string, headers: Headers, body: string | undefined): HttpExchange {
    const all = Object.entries({ ...this.#headers, ...headers }).filter(([, value]) => value !== "");
    const exchange = new HttpExchange(this.url, method, Object.fromEntries(all), body);
    this.#exchanges.push(exchange);
    return exchange;
  }
}

export function toolNamesIn(result: Result | undefined): readonly string[] | undefined {
  return result?.tools?.map(({ name }) => name);
}
