/** The client of `@modelcontextprotocol/sdk`, the SDK's version 1. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { guardTransport } from "countersign";
import { type Connected, type Setting, story } from "../story.ts";

async function connect({ server, ledger }: Setting): Promise<Connected> {
  const client = new Client({ name: "example", version: "1.0.0" });
  await client.connect(guardTransport(new StdioClientTransport(server), { server: "notes", command: server, ledger }));
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (tool, args) => {
      const { content } = await client.callTool({ name: tool, arguments: args });
      return (content as { text: string }[]).map(({ text }) => text).join("");
    },
    close: () => client.close(),
  };
}

await story("MCP SDK, version 1", connect);
