import type { Readable, Writable } from "node:stream";
import { errorText } from "../error-text.ts";
import { maxFrameBytes, readFrame } from "../frame.ts";
import { Lines } from "../lines.ts";
import { oneLine } from "../one-line.ts";

export interface RefusalOptions {
  readonly host: { readonly input: Readable; readonly output: Writable };
  /** Why, and what to ask the person for. Both are Countersign's own. */
  readonly reason: string;
  readonly review: string;
}

/**
 * Answers a host in place of a server that must not be started: every request, the handshake first, with one error. Ends
 * when the host hangs up; nothing that happens meanwhile lets it through.
 */
export function refuseHost({ host, reason, review }: RefusalOptions): Promise<void> {
  const message = `withholds this server: ${reason}; ask the user to review ${review}, then reconnect`;
  const error = errorText(-32603, message, `{"reason":"${reason}","review":"${review}"}`);
  const answer = (id: string) => host.output.write(`${oneLine(`{"jsonrpc":"2.0","id":${id},"error":${error}}`)}\n`);
  const lines = new Lines(
    maxFrameBytes,
    (line) => {
      const reading = readFrame(line);
      if (reading.is === "refused") answer("null");
      else if (reading.frame.is === "request") answer(reading.frame.id.text);
    },
    () => answer("null"),
  );
  const { promise, resolve } = Promise.withResolvers<void>();
  host.input.on("data", (chunk: Buffer) => lines.push(chunk));
  host.input.on("end", () => {
    lines.end();
    resolve();
  });
  host.input.on("close", resolve);
  // A host that stopped reading is gone.
  host.output.on("error", () => resolve());
  return promise;
}
