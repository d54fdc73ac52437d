import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/** A host that measures: one request at a time, and nothing parsed that need not be. */
export class Connection {
  readonly pid: number;
  readonly #process: ChildProcess;
  readonly #input: NodeJS.WritableStream;
  readonly #ended: Promise<unknown>;
  #parts: Buffer[] = [];
  #answered: (line: Buffer) => void = () => undefined;
  #failed: (error: Error) => void = () => undefined;
  #count = 0;

  constructor([command = "", ...args]: readonly string[], env: NodeJS.ProcessEnv) {
    // What a server says on stderr costs all arms the same when nobody reads it.
    const child = spawn(command, args, { env, stdio: ["pipe", "pipe", "ignore"] });
    if (child.pid === undefined) throw new Error(`Cannot start ${command}`);
    this.pid = child.pid;
    this.#process = child;
    this.#input = child.stdin;
    this.#ended = once(child, "close");
    child.stdout.on("data", (chunk: Buffer) => this.#read(chunk));
    child.on("close", (code) => this.#failed(new Error(`${[command, ...args].join(" ")} ended with ${code}`)));
  }

  /**
   * The milliseconds from the request to its answer.
   *
   * @throws Error where the answer is an error, or the other side ends
   */
  async ask(method: string, params: string): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    this.#answered = resolve;
    this.#failed = reject;
    const start = performance.now();
    this.#input.write(`{"jsonrpc":"2.0","id":${++this.#count},"method":"${method}","params":${params}}\n`);
    const line = await promise;
    const took = performance.now() - start;
    if (line.length < 1_000 && line.includes('"error":')) throw new Error(`${method} was answered with ${line}`);
    return took;
  }

  async initialize(): Promise<void> {
    const client = '"capabilities":{},"clientInfo":{"name":"bench","version":"1"}';
    await this.ask("initialize", `{"protocolVersion":"2025-11-25",${client}}`);
    this.#input.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  }

  /** Hangs up, and waits until the other side has ended. */
  async close(): Promise<void> {
    this.#failed = () => undefined;
    this.#input.end();
    const kill = setTimeout(() => this.#process.kill("SIGKILL"), 8_000);
    await this.#ended;
    clearTimeout(kill);
  }

  #read(chunk: Buffer): void {
    this.#parts.push(chunk);
    if (chunk.at(-1) !== 0x0a) return;
    const line = Buffer.concat(this.#parts);
    this.#parts = [];
    // A notification is nobody's answer; none of the servers sends one together with an answer.
    if (!line.includes('"method":')) this.#answered(line);
  }
}
