const tool = {
  name: "repeat",
  description: "Gives back a text of the length that it is asked for.",
  inputSchema: { type: "object", properties: { length: { type: "integer" } }, additionalProperties: false },
};

export interface Message {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: { readonly protocolVersion?: string; readonly arguments?: { readonly length?: number } };
}

/** What a server says that costs next to nothing, so that what stands before it is most of what is measured. */
export function resultOf({ method, params }: Message): object {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "raw", version: "1" },
      };
    case "tools/list":
      return { tools: [tool] };
    default:
      return { content: [{ type: "text", text: "x".repeat(params?.arguments?.length ?? 1) }] };
  }
}
