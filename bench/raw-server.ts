// A stdio server that costs next to nothing, so that what stands before it is most of what is measured.
const tool = {
  name: "repeat",
  description: "Gives back a text of the length that it is asked for.",
  inputSchema: { type: "object", properties: { length: { type: "integer" } }, additionalProperties: false },
};

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly protocolVersion?: string; readonly arguments?: { readonly length?: number } };
}

function resultOf({ method, params }: Message): object {
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

let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk: string) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) {
    const message: Message = JSON.parse(line);
    if (message.id === undefined) continue;
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: message.id, result: resultOf(message) })}\n`);
  }
});
