import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { type Json, memberOf, readJson, visible } from "@countersign/core";
import { version } from "../version.ts";

export interface BaselineOptions {
  /** The whole command line that a host would start: Node, Countersign, `run` and what follows. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Milliseconds. */
  readonly deadline: number;
}

export type Baseline =
  | { readonly is: "seen" }
  /** `lastWords`: made visible; a server may have written them. */
  | { readonly is: "not-seen"; readonly because: "ENDED" | "NO_ANSWER"; readonly lastWords: string };

/**
 * Starts a guarded server exactly as its host will, so that the ledger holds how it is reached and what it offers, and ends
 * it. Whatever comes back is only waited for: the guard has looked at it.
 */
export async function baseline({ command, cwd, env, deadline }: BaselineOptions): Promise<Baseline> {
  const [program = "", ...args] = command;
  const child = spawn(program, args, { cwd, env, stdio: ["pipe", "pipe", "pipe"], windowsHide: true });
  let lastWords = "";
  createInterface({ input: child.stderr }).on("line", (line) => {
    lastWords = visible(line.slice(0, 600));
  });
  child.stdin.on("error", () => child.stdin.destroy());
  const gone = new Promise<"gone">((resolve) => {
    child.once("close", () => resolve("gone"));
    child.once("error", () => resolve("gone"));
  });
  const late = new Promise<"late">((resolve) => setTimeout(resolve, deadline, "late").unref());
  const answers = answersOf(child.stdout);
  const talk = async (): Promise<"talked"> => {
    const ask = async (id: number, method: string, params: unknown) => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
      return answers(id);
    };
    const clientInfo = { name: "countersign", version };
    const older = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    const handshake = await ask(1, "initialize", older);
    if (handshake !== undefined) {
      child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
      // The handshake waits for the lists no longer than it should; these wait for as long as there is time.
      const declared = memberOf(handshake, "capabilities");
      const methods = [...lists].filter(([of]) => declared && memberOf(declared, of)).flatMap(([, some]) => some);
      await Promise.all(methods.map((method, index) => ask(index + 2, method, {})));
    } else {
      await ask(9, "server/discover", {
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": {},
          "io.modelcontextprotocol/clientInfo": clientInfo,
        },
      });
    }
    return "talked";
  };
  const outcome = await Promise.race([talk(), gone, late]);
  child.stdin.end();
  const stop = setTimeout(() => child.kill("SIGTERM"), grace).unref();
  const kill = setTimeout(() => child.kill("SIGKILL"), 2 * grace).unref();
  await gone;
  clearTimeout(stop);
  clearTimeout(kill);
  if (outcome === "talked") return { is: "seen" };
  return { is: "not-seen", because: outcome === "late" ? "NO_ANSWER" : "ENDED", lastWords };
}

/** Milliseconds: a guard gives its server two seconds, and then two more. */
const grace = 6_000;

/** What a server lists, by the capability that says so. */
const lists: ReadonlyMap<string, readonly string[]> = new Map([
  ["tools", ["tools/list"]],
  ["prompts", ["prompts/list"]],
  ["resources", ["resources/list", "resources/templates/list"]],
]);

/** Waits for the answer with an id; resolves to its result, if it is one. Nothing else that is written counts. */
function answersOf(stream: NodeJS.ReadableStream): (id: number) => Promise<Json | undefined> {
  const waiting = new Map<number, (result: Json | undefined) => void>();
  createInterface({ input: stream }).on("line", (line) => {
    const reading = readJson(line);
    if (reading.is === "refused") return;
    const id = memberOf(reading.json, "id");
    if (id?.is !== "number" || memberOf(reading.json, "method") !== undefined) return;
    waiting.get(Number(id.token))?.(memberOf(reading.json, "result"));
  });
  return (id) => new Promise((resolve) => waiting.set(id, resolve));
}
