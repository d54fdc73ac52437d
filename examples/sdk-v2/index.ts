/** The client of `@modelcontextprotocol/client`, version 2 of the SDK. */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
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

await story("MCP SDK, version 2", connect);
