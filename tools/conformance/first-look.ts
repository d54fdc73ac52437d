const lists = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"];
const info = { name: "first-look", version: "1" };
const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };

/** Asks for all that is offered at a URL, in both eras, so that it can be approved. What is withheld is no error here. */
export async function firstLook(url: URL): Promise<void> {
  const opened = await post(url, {}, "initialize", {
    ...{ protocolVersion: "2025-11-25", capabilities: {}, clientInfo: info },
  });
  const session = opened.headers.get("mcp-session-id");
  const older = {
    "mcp-protocol-version": "2025-11-25",
    ...(session === null ? {} : { "mcp-session-id": session }),
  };
  for (const method of lists) await post(url, older, method, {});
  await fetch(url, { method: "DELETE", headers: { ...headers, ...older } });
  const envelope = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": info,
  };
  for (const method of ["server/discover", ...lists]) {
    const newer = { "mcp-protocol-version": "2026-07-28", "mcp-method": method };
    await post(url, newer, method, { _meta: envelope });
  }
}

async function post(
  url: URL,
  more: Readonly<Record<string, string>>,
  method: string,
  params: Readonly<Record<string, unknown>>,
): Promise<Response> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const response = await fetch(url, { method: "POST", headers: { ...headers, ...more }, body });
  if (response.status !== 200) throw new Error(`Cannot look at ${url}: ${method} was answered with ${response.status}`);
  await response.text();
  return response;
}
