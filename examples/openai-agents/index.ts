/**
 * The OpenAI Agents SDK. Its own server classes make their transports themselves and take none, so a guarded client is made a
 * server of it: five methods.
 */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import {
  type CallToolResultContent,
  getAllMcpTools,
  type MCPServer,
  mcpToFunctionTool,
  RunContext,
} from "@openai/agents";
import { guardTransport } from "countersign";
import { type Connected, type Setting, story } from "../story.ts";

type MCPTool = Awaited<ReturnType<MCPServer["listTools"]>>[number];

class GuardedServer implements MCPServer {
  readonly name = "notes";
  readonly cacheToolsList = false;
  /** A refusal is an error of ours, not a text for the model. */
  readonly errorFunction = null;
  readonly #client = new Client({ name: "example", version: "1.0.0" });
  readonly #setting: Setting;

  constructor(setting: Setting) {
    this.#setting = setting;
  }

  async connect(): Promise<void> {
    const { server, ledger } = this.#setting;
    await this.#client.connect(
      guardTransport(new StdioClientTransport(server), { server: this.name, command: server, ledger }),
    );
  }

  async listTools(): Promise<MCPTool[]> {
    return (await this.#client.listTools()).tools as MCPTool[];
  }

  async callTool(name: string, args: Record<string, unknown> | null): Promise<CallToolResultContent> {
    const { content } = await this.#client.callTool({ name, arguments: args ?? {} });
    return content as CallToolResultContent;
  }

  async invalidateToolsCache(): Promise<void> {
    // Nothing is kept here.
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}

/** What an earlier connection was given: hosts keep lists. */
let kept: readonly MCPTool[] = [];

async function connect(setting: Setting): Promise<Connected> {
  const server = new GuardedServer(setting);
  await server.connect();
  return {
    /** What an `Agent({ mcpServers: [server] })` gives the model. */
    tools: async () => {
      const tools = await getAllMcpTools([server]);
      if (tools.length > 1) kept = await server.listTools();
      return tools.map(({ name }) => name);
    },
    call: async (name, args) => {
      const definition = kept.find((one) => one.name === name);
      if (definition === undefined) throw new Error(`there never was a tool ${name}`);
      const tool = mcpToFunctionTool(definition, server, false);
      return textIn(await tool.invoke(new RunContext(), JSON.stringify(args)));
    },
    close: () => server.close(),
  };
}

function textIn(result: unknown): string {
  const parts = [result].flat() as readonly { text?: string }[];
  return parts.map(({ text = "" }) => text).join("");
}

await story("OpenAI Agents SDK", connect);
