import type { IncomingMessage } from "node:http";

/** The whole body of a request, if it is no longer than `most` bytes and comes to its end. */
export function readBody(request: IncomingMessage, most: number): Promise<Buffer | "TOO_LARGE" | "BROKE_OFF"> {
  if (Number(request.headers["content-length"] ?? 0) > most) return Promise.resolve("TOO_LARGE");
  const { promise, resolve } = Promise.withResolvers<Buffer | "TOO_LARGE" | "BROKE_OFF">();
  const chunks: Buffer[] = [];
  let length = 0;
  request.on("data", (chunk: Buffer) => {
    length += chunk.length;
    if (length <= most) chunks.push(chunk);
    else {
      request.pause();
      resolve("TOO_LARGE");
    }
  });
  request.on("end", () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
  request.on("error", () => resolve("BROKE_OFF"));
  request.on("close", () => resolve("BROKE_OFF"));
  return promise;
}
