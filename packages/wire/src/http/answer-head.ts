import type { IncomingMessage } from "node:http";

/** What an answer holds, by its head. `other`: nothing that is read. */
export function contentOf({ statusCode, headers }: IncomingMessage): "sse" | "json" | "empty" | "other" {
  if (statusCode === 202 || statusCode === 204) return "empty";
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding.toLowerCase() !== "identity") return "other";
  const [type = ""] = (headers["content-type"] ?? "").split(";");
  switch (type.trim().toLowerCase()) {
    case "text/event-stream":
      return "sse";
    case "application/json":
      return "json";
    default:
      return headers["content-length"] === "0" ? "empty" : "other";
  }
}

/** Reads a body that nobody wants, if it is short, so that its connection can be used again. */
export function discard(response: IncomingMessage): void {
  let length = 0;
  const late = setTimeout(() => response.destroy(), 5_000);
  response.on("close", () => clearTimeout(late));
  response.on("data", (bytes: Buffer) => {
    length += bytes.length;
    if (length > 64 * 1024) response.destroy();
  });
}
