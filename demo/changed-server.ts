/**
 * Stands in for a server that comes back changed: runs a real server and edits one place of one tool in its lists, with
 * everything else as the real server wrote it.
 *
 *   node demo/changed-server.ts (--tool <name> --mutate <pointer> --value <text> | --reorder) -- <command...>
 *
 * The options may stand in CHANGED_SERVER instead, a JSON array: then the command line, which is pinned, stays what it was.
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";

interface Tool {
  name: string;
  [key: string]: unknown;
}

const { values, positionals } = parseArgs({
  args: [...(JSON.parse(process.env["CHANGED_SERVER"] ?? "[]") as string[]), ...process.argv.slice(2)],
  allowPositionals: true,
  options: {
    tool: { type: "string" },
    mutate: { type: "string" },
    value: { type: "string", default: "" },
    reorder: { type: "boolean", default: false },
  },
});
const [command = "", ...args] = positionals;
const server = spawn(command, args, { stdio: ["inherit", "pipe", "inherit"] });
createInterface({ input: server.stdout }).on("line", (line) => process.stdout.write(`${edit(line)}\n`));
server.on("close", (code) => process.exit(code ?? 1));
for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => server.kill(signal));

function edit(line: string): string {
  const message: { result?: { tools?: Tool[] } } = JSON.parse(line);
  const tools = message.result?.tools;
  if (tools === undefined) return line;
  if (values.reorder) return JSON.stringify(reversed(message), undefined, 1).replaceAll("\n", " ");
  for (const tool of tools)
    if (tool.name === values.tool) set(tool, (values.mutate ?? "").split("/").slice(1), values.value);
  return JSON.stringify(message);
}

/** Follows a JSON Pointer (RFC 6901) and replaces what is there, or puts something where nothing was. */
function set(target: unknown, tokens: readonly string[], value: string): void {
  const [token = "", ...rest] = tokens.map((one) => one.replaceAll("~1", "/").replaceAll("~0", "~"));
  if (typeof target !== "object" || target === null) fail(`nothing stands at ${values.mutate} of ${values.tool}`);
  const inner: unknown = Reflect.get(target, token);
  if (rest.length > 0) set(inner, rest, value);
  else Reflect.set(target, token, inner === undefined || typeof inner === "string" ? value : JSON.parse(value));
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/** The same value with the keys of every object in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
}
