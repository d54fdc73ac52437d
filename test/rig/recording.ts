import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One process as the tees on both sides of Countersign saw it: lines without their LF, byte for byte (latin1). */
export interface Recording {
  readonly toServer: readonly string[];
  readonly fromServer: readonly string[];
  readonly fromHost: readonly string[];
  readonly toHost: readonly string[];
}

/** Reads what two tees recorded, a session each, in the order of their names. */
export function recordingsOf(hostSide: string, serverSide: string): readonly Recording[] {
  const sessions = readdirSync(hostSide).filter((name) => name.endsWith(".in"));
  return sessions.map((name) => {
    const session = name.slice(0, -".in".length);
    return {
      fromHost: linesOf(join(hostSide, `${session}.in`)),
      toHost: linesOf(join(hostSide, `${session}.out`)),
      toServer: linesOf(join(serverSide, `${session}.in`)),
      fromServer: linesOf(join(serverSide, `${session}.out`)),
    };
  });
}

/** Latin-1 keeps every byte apart from every other. */
function linesOf(path: string): readonly string[] {
  const text = readFileSync(path, "latin1");
  if (text !== "" && !text.endsWith("\n"))
    throw new Error(`Cannot read the recording ${path}: its last line has no end`);
  return text.split("\n").slice(0, -1);
}

interface Envelope {
  readonly id?: string | number;
  readonly method?: string;
}

function envelopeOf(line: string): Envelope {
  return JSON.parse(line) as Envelope;
}

/** Whether a message is a request of the guard's own, or the answer to one. */
export function isGuards(line: string): boolean {
  const { id } = envelopeOf(line);
  return typeof id === "string" && id.startsWith("countersign-");
}

/** Answers by id, which must be different; and all else in its order. */
export function sorted(lines: readonly string[]): { answers: ReadonlyMap<string, string>; others: readonly string[] } {
  const answers = new Map<string, string>();
  const others: string[] = [];
  for (const line of lines) {
    const { id, method } = envelopeOf(line);
    if (method !== undefined || id === undefined) others.push(line);
    else if (answers.has(JSON.stringify(id))) throw new Error(`Two answers to ${id}`);
    else answers.set(JSON.stringify(id), line);
  }
  return { answers, others };
}
