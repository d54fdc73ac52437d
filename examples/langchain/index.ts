/** LangChain's MCP adapters: they make tools of a client of the SDK, however it is connected. */
import { loadMcpTools } from "@langchain/mcp-adapters";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { guardTransport } from "countersign";
import { type Connected, type Setting, story } from "../story.ts";

async function connect({ server, ledger }: Setting): Promise<Connected> {
  const client = new Client({ name: "example", version: "1.0.0" });
  await client.connect(guardTransport(new StdioClientTransport(server), { server: "notes", command: server, ledger }));
  return {
    /** What `createAgent({ tools })` is given. */
    tools: async () => (await loadMcpTools("notes", client)).map(({ name }) => name),
    call: async (name, args) => {
      const tool = (await loadMcpTools("notes", client)).find((one) => one.name === name);
      // An agent that kept a tool of an earlier connection would come to the client with it.
      if (tool === undefined) return textIn(await client.callTool({ name, arguments: args }));
      return String(await tool.invoke(args));
    },
    close: () => client.close(),
  };
}

function textIn({ content }: Awaited<ReturnType<Client["callTool"]>>): string {
  return (content as { text: string }[]).map(({ text }) => text).join("");
}

await story("LangChain MCP adapters", connect);
