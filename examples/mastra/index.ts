/**
 * Mastra. Its client takes a command or an address, and no transport: so the command that it is given is `countersign run`,
 * as in the config of any other host.
 */
import { resolve } from "node:path";
import type { Tool, ToolExecutionContext } from "@mastra/core/tools";
import { MCPClient } from "@mastra/mcp";
import { type Connected, type Setting, story } from "../story.ts";

/** Where it is installed, this is the command `countersign`. */
const countersign = [process.execPath, resolve(import.meta.dirname, "../../packages/gate/dist/bin.js")] as const;

/** Lives as long as the agent, and connects anew where its server was started again. */
let mcp: MCPClient | undefined;
/** What an earlier connection was given. */
const kept = new Map<string, Tool>();

async function connect({ server, ledger }: Setting): Promise<Connected> {
  if (mcp === undefined) {
    const [command, bin] = countersign;
    const args = [bin, "run", "notes", "--ledger", ledger, "--", server.command, ...server.args];
    mcp = new MCPClient({ servers: { notes: { command, args, stderr: "ignore" } } });
  } else await mcp.reconnectServer("notes");
  /** What an `Agent({ tools })` is given. */
  const { notes = {} } = await mcp.listToolsets();
  for (const [name, tool] of Object.entries(notes)) kept.set(name, tool);
  return {
    tools: async () => Object.keys(notes),
    call: async (name, args) => textIn(await kept.get(name)?.execute?.({ ...args }, {} as ToolExecutionContext)),
    close: async () => undefined,
  };
}

function textIn(result: unknown): string {
  const { content } = result as { content: readonly { text?: string }[] };
  return content.map(({ text = "" }) => text).join("");
}

await story("Mastra", connect);
await mcp?.disconnect();
