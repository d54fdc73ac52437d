/** The Vercel AI SDK: its client takes any transport, its own or the SDK's. */
import { createMCPClient, type ListToolsResult } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport } from "@ai-sdk/mcp/mcp-stdio";
import type { ToolSet } from "ai";
import { guardTransport } from "countersign";
import { type Connected, type Setting, story } from "../story.ts";

/** What an earlier connection was given: hosts keep lists. */
let kept: ListToolsResult | undefined;

async function connect({ server, ledger }: Setting): Promise<Connected> {
  const client = await createMCPClient({
    transport: guardTransport(new Experimental_StdioMCPTransport(server), { server: "notes", command: server, ledger }),
  });
  return {
    /** What `generateText({ tools })` is given. */
    tools: async () => {
      const tools: ToolSet = await client.tools();
      const names = Object.keys(tools);
      if (names.length > 1) kept = await client.listTools();
      return names;
    },
    call: async (tool, args) => {
      const known = client.toolsFromDefinitions(kept ?? (await client.listTools()))[tool];
      if (known === undefined) throw new Error(`there never was a tool ${tool}`);
      const result = await known.execute(args, { toolCallId: "1", messages: [], context: {} });
      return textIn(result);
    },
    close: () => client.close(),
  };
}

function textIn(result: unknown): string {
  const { content } = result as { content: readonly { text?: string }[] };
  return content.map(({ text = "" }) => text).join("");
}

await story("Vercel AI SDK", connect);
