import { type ChildProcessByStdio, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import type { Readable, Writable } from "node:stream";

/** One JSON-RPC message, with as much of MCP as tests look at. */
export interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Result;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface Result {
  readonly [key: string]: unknown;
  readonly instructions?: string;
  readonly serverInfo?: { readonly name: string };
  readonly tools?: readonly Definition[];
  readonly prompts?: readonly Definition[];
  readonly resources?: readonly Definition[];
  readonly resourceTemplates?: readonly Definition[];
}

interface Definition {
  readonly [key: string]: unknown;
  readonly name: string;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** What a modern host puts on every request. */
const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "raw-host", version: "1" },
};

interface Opening {
  readonly capabilities?: Readonly<Record<string, unknown>>;
  /** How long to wait for the answer. */
  readonly milliseconds?: number;
}

export interface Start {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A host that speaks raw lines with the process it starts, and forgives nothing. */
export class RawHost {
  /** Every line that came, without its LF, and what it says. */
  readonly lines: string[] = [];
  readonly messages: Message[] = [];
  stderr = "";
  readonly exit: Promise<Exit>;
  readonly #process: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #news = new EventEmitter();
  /** Why nothing more will come. */
  #over: string | undefined;
  /** Of a line that has not ended. */
  #rest: Buffer[] = [];
  #count = 0;

  constructor([command = "", ...args]: readonly string[], { cwd, env }: Start) {
    const child = spawn(command, args, { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
    if (child.pid === undefined) throw new Error(`Cannot start ${command}`);
    this.#process = child;
    this.exit = once(child, "close").then(([code, signal]) => {
      this.#over ??= `until it ended (${signal ?? code})`;
      this.#news.emit("news");
      return { code, signal };
    });
    child.stdout.on("data", (chunk: Buffer) => this.#read(chunk));
    child.stderr.setEncoding("utf8");
    child.stderr.on("data", (text: string) => {
      this.stderr += text;
      this.#news.emit("news");
    });
    // A guard that has gone is seen by its exit.
    child.stdin.on("error", () => child.stdin.destroy());
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** Hangs up as hosts do, and kills what has not ended then. */
  async end(): Promise<Exit> {
    this.closeInput();
    const kill = setTimeout(() => this.kill("SIGKILL"), 8_000);
    const exit = await this.exit;
    clearTimeout(kill);
    return exit;
  }

  /** Writes one message: a line as it is, or a value as JSON. */
  send(message: string | Readonly<Record<string, unknown>>): void {
    const line = typeof message === "string" ? message : JSON.stringify({ jsonrpc: "2.0", ...message });
    this.#process.stdin.write(`${line}\n`);
  }

  /** Sends a request and waits for its answer, whatever that is. */
  async ask(method: string, params?: Readonly<Record<string, unknown>>, milliseconds?: number): Promise<Message> {
    const id = ++this.#count;
    this.send({ id, method, ...(params === undefined ? {} : { params }) });
    return this.answerTo(id, milliseconds);
  }

  async answerTo(id: string | number, milliseconds?: number): Promise<Message> {
    const find = () => this.messages.find((message) => message.id === id && message.method === undefined);
    return this.until(`the answer to ${id}`, find, milliseconds);
  }

  /** The handshake of 2025-11-25. Returns the answer to `initialize`. */
  async initialize({ capabilities = {}, milliseconds }: Opening = {}): Promise<Message> {
    const clientInfo = { name: "raw-host", version: "1" };
    const params = { protocolVersion: "2025-11-25", capabilities, clientInfo };
    const answer = await this.ask("initialize", params, milliseconds);
    this.send({ method: "notifications/initialized" });
    return answer;
  }

  /** As `ask`, with the envelope of 2026-07-28. */
  askModern(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<Message> {
    return this.ask(method, { ...params, _meta: envelope });
  }

  /** Opens a stream of changes, as a modern host does. Resolves to its id when the server has acknowledged it. */
  async listen(...wants: readonly string[]): Promise<number> {
    const id = ++this.#count;
    const notifications = Object.fromEntries(wants.map((want) => [want, true]));
    this.send({ id, method: "subscriptions/listen", params: { notifications, _meta: envelope } });
    await this.told("notifications/subscriptions/acknowledged");
    return id;
  }

  /** The n-th message with this method. */
  async told(method: string, n = 1): Promise<Message> {
    return this.until(`${n} times ${method}`, () => this.messages.filter((one) => one.method === method)[n - 1]);
  }

  async says(text: string): Promise<void> {
    await this.until(`"${text}" on stderr`, () => (this.stderr.includes(text) ? true : undefined));
  }

  /** Waits until `find` finds something. */
  async until<T>(what: string, find: () => T | undefined, milliseconds: number = 15_000): Promise<T> {
    const late = Date.now() + milliseconds;
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      const left = late - Date.now();
      if (left <= 0 || this.#over !== undefined) {
        const seen = `${this.lines.map((line) => line.slice(0, 500)).join("\n")}\nstderr: ${this.stderr}`;
        throw new Error(`Waited for ${what} ${this.#over ?? `for ${milliseconds} ms`}; received:\n${seen}`);
      }
      const timer = new AbortController();
      setTimeout(() => timer.abort(), left).unref();
      try {
        await once(this.#news, "news", { signal: timer.signal });
      } catch (error) {
        if (!timer.signal.aborted) throw error;
      }
    }
  }

  closeInput(): void {
    this.#process.stdin.end();
  }

  kill(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  #read(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, from)) {
      const line = Buffer.concat([...this.#rest, chunk.subarray(from, end)]).toString("utf8");
      this.#rest = [];
      from = end + 1;
      this.lines.push(line);
      try {
        this.messages.push(JSON.parse(line) as Message);
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        this.#over = "until a line came that is not JSON";
      }
    }
    this.#rest.push(chunk.subarray(from));
    this.#news.emit("news");
  }
}
