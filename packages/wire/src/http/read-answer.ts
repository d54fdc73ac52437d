import type { IncomingMessage } from "node:http";
import { PacedBody } from "./paced-body.ts";
import type { LargeAnswer, RemoteLimits } from "./remote-options.ts";
import { type SseData, SseReader } from "./sse-events.ts";

export interface AnswerOptions {
  readonly limits: RemoteLimits;
  readonly silence: number | undefined;
  readonly message: (bytes: Buffer, event?: { readonly id: string }) => void;
  readonly beat: (event: { readonly id?: string; readonly retry?: number }) => void;
  readonly large: () => LargeAnswer | undefined;
  readonly tooLong: (ends: Buffer) => void;
  /** Of a stream: events of other names than `message`. */
  readonly other?: (event: string, data: Buffer) => void;
  /** Anything came. */
  readonly alive?: () => void;
  readonly over: (how: "complete" | "BROKE_OFF" | "TIMED_OUT") => void;
}

/** Reads the messages of a `text/event-stream`. */
export function readStream(response: IncomingMessage, options: AnswerOptions): PacedBody {
  const { limits, silence, over } = options;
  const reader = new SseReader(
    limits.message,
    {
      event: ({ event, data, id }) => {
        if (event !== "message") options.other?.(event, data);
        if (event !== "message" || data.length === 0) options.beat(id === "" ? {} : { id });
        else options.message(data, id === "" ? undefined : { id });
      },
      primed: (id) => options.beat(id === "" ? {} : { id }),
      retry: (retry) => options.beat({ retry }),
      tooLong: options.tooLong,
      large: () => {
        const answer = options.large();
        return answer === undefined ? undefined : dataTo(answer, body);
      },
    },
    limits.held,
  );
  const body = new PacedBody(response, {
    silence,
    chunk: (bytes) => {
      options.alive?.();
      reader.push(bytes);
    },
    over: (how) => {
      reader.end();
      over(how);
    },
  });
  return body;
}

function dataTo(answer: LargeAnswer, body: PacedBody): SseData {
  const push = pushTo(answer, body);
  return {
    push,
    // Other readers pass over an event of another name; and where its name came last, it is passed on already.
    end: (event) => {
      if (event?.event !== "message") answer.end(false);
      else if (event.id === "") answer.end(true);
      else answer.end(true, { id: event.id });
    },
  };
}

function pushTo(answer: LargeAnswer, body: PacedBody): (bytes: Buffer) => void {
  answer.onDrain(() => body.resume(answer));
  return (bytes) => {
    if (!answer.push(bytes)) body.pause(answer);
  };
}

/** Reads a body that is one message. */
export function readMessage(response: IncomingMessage, options: AnswerOptions): PacedBody {
  const { limits, silence, over } = options;
  let parts: Buffer[] = [];
  let length = 0;
  let tail: Buffer | undefined;
  let asked = false;
  let answer: LargeAnswer | undefined;
  let push: ((bytes: Buffer) => void) | undefined;
  const chunk = (bytes: Buffer) => {
    if (push !== undefined) {
      push(bytes);
      return;
    }
    if (tail !== undefined) {
      tail = Buffer.concat([tail, bytes]).subarray(-ends);
      return;
    }
    parts.push(bytes);
    length += bytes.length;
    if (length > limits.held && !asked) {
      asked = true;
      answer = options.large();
      if (answer !== undefined) {
        push = pushTo(answer, body);
        for (const part of parts) push(part);
        parts = [];
        return;
      }
    }
    if (length > limits.message) {
      const all = Buffer.concat(parts);
      parts = [Buffer.from(all.subarray(0, ends))];
      tail = Buffer.from(all.subarray(-ends));
    }
  };
  const body = new PacedBody(response, {
    silence,
    chunk,
    over: (how) => {
      if (answer !== undefined) answer.end(how === "complete");
      else if (how === "complete" && tail !== undefined) options.tooLong(Buffer.concat([...parts, tail]));
      else if (how === "complete" && length > 0)
        options.message(parts.length === 1 ? (parts[0] ?? none) : Buffer.concat(parts));
      over(how);
    },
  });
  return body;
}

const none = Buffer.alloc(0);
const ends = 4096;
