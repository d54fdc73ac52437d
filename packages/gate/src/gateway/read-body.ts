import type { IncomingMessage, ServerResponse } from "node:http";
import { answerError } from "../access/answer-refusal.ts";

/** The whole body of a request. Undefined where it was too large, which is answered then, or broke off. */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  most: number,
): Promise<Buffer | undefined> {
  if (request.headers.expect !== undefined) response.writeContinue();
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length <= most) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0;
      if (!response.headersSent) answerError(response, 413, `the body is larger than ${most} bytes`);
      resolve(undefined);
      if (length > 2 * most) request.socket.destroy();
    });
    request.once("end", () => resolve(length <= most ? Buffer.concat(chunks) : undefined));
    request.once("close", () => resolve(undefined));
  });
}

/** Reads on for a while after an answer that did not wait for the body, so that the client gets to read the answer. */
export function discardBody(request: IncomingMessage, most: number): void {
  if (request.complete) return;
  let length = 0;
  request.on("data", (chunk: Buffer) => {
    length += chunk.length;
    if (length > most) request.socket.destroy();
  });
}
