import { Agent, type IncomingMessage, request } from "node:http";

/** One host over HTTP, with one session and one connection that is kept. It asks one thing after the other, and parses nothing. */
export class HttpClient {
  readonly #url: URL;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #headers: Record<string, string> = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  #count = 0;

  constructor(url: URL) {
    this.#url = url;
  }

  async initialize(): Promise<void> {
    const client = '"capabilities":{},"clientInfo":{"name":"bench","version":"1"}';
    const { headers } = await this.#post("initialize", `{"protocolVersion":"2025-11-25",${client}}`);
    const session = headers["mcp-session-id"];
    if (typeof session === "string") this.#headers["mcp-session-id"] = session;
    this.#headers["mcp-protocol-version"] = "2025-11-25";
    await this.#send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    await this.ask("tools/list", "{}");
  }

  /**
   * The milliseconds from the request to its whole answer.
   *
   * @throws Error where the answer is an error
   */
  async ask(method: string, params: string): Promise<number> {
    const start = performance.now();
    await this.#post(method, params);
    return performance.now() - start;
  }

  close(): void {
    this.#agent.destroy();
  }

  async #post(method: string, params: string): Promise<IncomingMessage> {
    const { answer, body } = await this.#send(
      `{"jsonrpc":"2.0","id":${++this.#count},"method":"${method}","params":${params}}`,
    );
    if (answer.statusCode !== 200 || !body.includes('"result":'))
      throw new Error(`${method} was answered with ${answer.statusCode} ${body.toString("utf8", 0, 1_000)}`);
    return answer;
  }

  #send(text: string, again = true): Promise<Answered> {
    const { promise, resolve, reject } = Promise.withResolvers<Answered>();
    const headers = { ...this.#headers, "content-length": String(Buffer.byteLength(text)) };
    const sent = request(this.#url, { method: "POST", headers, agent: this.#agent }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("end", () => resolve({ answer, body: Buffer.concat(parts) }));
      answer.on("error", reject);
    });
    sent.on("error", (error: NodeJS.ErrnoException) => {
      // While it was another one's turn, the other side has closed what was idle.
      if (again && sent.reusedSocket && error.code === "ECONNRESET") resolve(this.#send(text, false));
      else reject(error);
    });
    sent.end(text);
    return promise;
  }
}

interface Answered {
  readonly answer: IncomingMessage;
  readonly body: Buffer;
}
