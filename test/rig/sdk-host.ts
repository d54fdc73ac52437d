import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { ClientTransport, GuardedTransport } from "countersign";

/** The official clients, each in every way that it can open a connection. */
export const modes = ["v1", "v2 legacy", "v2 auto", "v2 pin"] as const;

export type Mode = (typeof modes)[number];

export interface HostOptions {
  readonly mode: Mode;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Roots, sampling and elicitation, with handlers that answer; otherwise none. */
  readonly capable: boolean;
  /** The server is there already. */
  readonly url?: URL;
  /** What stands between the client and its transport. */
  readonly through?: (transport: ClientTransport) => GuardedTransport;
}

export interface Asked {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** As much of an SDK's client as these tests use. */
export interface SdkHost {
  readonly instructions: string | undefined;
  readonly serverName: string | undefined;
  readonly declares: ReadonlySet<string>;
  /** What the server asked of the host, in the order in which it came to it. */
  readonly asked: readonly Asked[];
  /** How often the host was told that the tools changed. */
  toolsChanged(): number;
  tools(): Promise<readonly string[]>;
  /** The tools whole, as the SDK's client gives them to its host. */
  definitions(): Promise<readonly unknown[]>;
  prompts(): Promise<readonly string[]>;
  resources(): Promise<readonly string[]>;
  templates(): Promise<readonly string[]>;
  call(name: string, args: Record<string, unknown>, onProgress?: () => void): Promise<unknown>;
  prompt(name: string, args: Record<string, string>): Promise<unknown>;
  read(uri: string): Promise<unknown>;
  close(): Promise<void>;
}

const info = { name: "countersign-test-host", version: "1.0.0" };
const capabilities = { roots: { listChanged: true }, sampling: { tools: {} }, elicitation: { form: {}, url: {} } };
const root = { uri: "file:///tmp", name: "tmp" };
const sampled = { model: "none", role: "assistant", content: { type: "text", text: "sampled" } } as const;

/** Starts a server by the SDK's own transport, and connects. */
export function connect(options: HostOptions): Promise<SdkHost> {
  return options.mode === "v1" ? connectV1(options) : connectV2(options);
}

async function connectV1({
  command: [command = "", ...args],
  env,
  capable,
  url,
  through,
}: HostOptions): Promise<SdkHost> {
  const client = new ClientV1(info, { capabilities: capable ? capabilities : {} });
  const asked: Asked[] = [];
  if (capable) {
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [root] }));
    client.setRequestHandler(CreateMessageRequestSchema, ({ method, params }) => {
      asked.push({ method, params });
      return sampled;
    });
    client.setRequestHandler(ElicitRequestSchema, ({ method, params }) => {
      asked.push({ method, params });
      return { action: "decline" };
    });
  }
  let changed = 0;
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    changed++;
  });
  const transport =
    url === undefined ? new StdioV1({ command, args, env: { ...env }, stderr: "ignore" }) : new HttpV1(url);
  await client.connect(through?.(transport) ?? transport);
  return {
    instructions: client.getInstructions(),
    serverName: client.getServerVersion()?.name,
    declares: new Set(Object.keys(client.getServerCapabilities() ?? {})),
    asked,
    toolsChanged: () => changed,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    definitions: async () => (await client.listTools()).tools,
    prompts: async () => (await client.listPrompts()).prompts.map(({ name }) => name),
    resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    templates: async () =>
      (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    call: (name, args, onProgress) =>
      client.callTool({ name, arguments: args }, undefined, onProgress === undefined ? {} : { onprogress: onProgress }),
    prompt: (name, args) => client.getPrompt({ name, arguments: args }),
    read: (uri) => client.readResource({ uri }),
    close: () => client.close(),
  };
}

async function connectV2({
  mode,
  command: [command = "", ...args],
  env,
  capable,
  url,
  through,
}: HostOptions): Promise<SdkHost> {
  const asked: Asked[] = [];
  let changed = 0;
  const negotiation = mode === "v2 pin" ? { pin: "2026-07-28" } : mode === "v2 auto" ? "auto" : "legacy";
  const client = new ClientV2(info, {
    capabilities: capable ? capabilities : {},
    versionNegotiation: { mode: negotiation },
    listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => changed++ } },
  });
  if (capable) {
    client.setRequestHandler("roots/list", () => ({ roots: [root] }));
    client.setRequestHandler("sampling/createMessage", ({ method, params }) => {
      asked.push({ method, params });
      return sampled;
    });
    client.setRequestHandler("elicitation/create", ({ method, params }) => {
      asked.push({ method, params });
      return { action: "decline" };
    });
  }
  const transport =
    url === undefined ? new StdioV2({ command, args, env: { ...env }, stderr: "ignore" }) : new HttpV2(url);
  await client.connect(through?.(transport) ?? transport);
  return {
    instructions: client.getInstructions(),
    serverName: client.getServerVersion()?.name,
    declares: new Set(Object.keys(client.getServerCapabilities() ?? {})),
    asked,
    toolsChanged: () => changed,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    definitions: async () => (await client.listTools()).tools,
    prompts: async () => (await client.listPrompts()).prompts.map(({ name }) => name),
    resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    templates: async () =>
      (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    call: (name, args, onProgress) =>
      client.callTool({ name, arguments: args }, onProgress === undefined ? {} : { onprogress: onProgress }),
    prompt: (name, args) => client.getPrompt({ name, arguments: args }),
    read: (uri) => client.readResource({ uri }),
    close: () => client.close(),
  };
}
