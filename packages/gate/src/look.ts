import { randomBytes } from "node:crypto";
import { PassThrough } from "node:stream";
import { decodeUtf8, memberOf, type Offer, type Ruling, readJson, type ServerName, visible } from "@countersign/core";
import { type Command, type Ending, guardStdio, type ListFailure, onlyLists, type WireEvent } from "@countersign/wire";
import { guardRemote, type RemoteFailure, type RemoteOptions } from "@countersign/wire/http";
import { version } from "./version.ts";

/** What a server offers to a host that approves nothing, just now. */
export interface Look {
  readonly offers: readonly Offer[];
  /** Lists that could not be had whole, by request. */
  readonly failures: readonly { readonly source: string; readonly code: ListFailure["code"] }[];
  /** Set where the server ended before it had answered. */
  readonly ended?: Ending;
  /** Set where a server at a URL did not do what it was asked: why, the first time. */
  readonly unreached?: RemoteFailure;
  /** The last line that the server wrote to stderr, made visible. */
  readonly lastWords: string;
  /** Whether a line of its stderr says that somebody has to sign in first. */
  readonly asksToSignIn: boolean;
}

export interface LookOptions {
  readonly server: ServerName;
  /** What is started; or where the server is, with all that its requests need. */
  readonly command: Command | RemoteTarget;
  readonly rule: (offer: Offer) => Promise<readonly Ruling[]>;
  /** Milliseconds for the whole look. */
  readonly deadline: number;
  /** Ends the server before its time. */
  readonly stop?: AbortSignal;
  /** Speak the newer era, and not the older. */
  readonly newerEra?: boolean;
}

/** A server at a URL, and the headers of the requests to it. */
export type RemoteTarget = Pick<RemoteOptions, "url" | "transport" | "headers" | "unauthorized">;

/** Starts a server, or goes to where it is, asks for everything that it offers, and leaves it. Speaks the older era first, then the newer where that is refused. */
export async function lookAt(options: LookOptions): Promise<Look> {
  const input = new PassThrough();
  const output = new PassThrough();
  const offers = new Map<string, Offer>();
  const failures: { source: string; code: ListFailure["code"] }[] = [];
  let lastWords = "";
  let asksToSignIn = false;
  let unreached: RemoteFailure | undefined;
  const { command } = options;
  const guarding = {
    server: options.server,
    host: { input, output },
    rule: async (offer: Offer) => {
      offers.set(offer.source, offer);
      return options.rule(offer);
    },
    known: async () => false,
    ...onlyLists,
    report: (event: WireEvent) => {
      if (event.is === "list-failed") failures.push({ source: event.source, code: event.code });
    },
    nonce: `countersign-${randomBytes(16).toString("hex")}`,
    checkpoints: { load: true, change: false, refetchOnCall: false },
    limits: { load: options.deadline },
    grace: 1_000,
  };
  const start = (): Started => {
    if (!("url" in command)) {
      return guardStdio({
        ...{ ...guarding, command },
        stderrLine: (bytes) => {
          lastWords = visible(decodeUtf8(bytes) ?? bytes.toString("latin1"));
          asksToSignIn ||= signIn.test(lastWords);
        },
      });
    }
    const { guard, ended, close } = guardRemote({
      ...{ ...guarding, remote: command },
      failed: (code, { of }) => {
        if (of === "request") unreached ??= code;
      },
      nextStep: () => undefined,
    });
    return { guard, ended: ended.then(() => undefined), signal: close };
  };
  const { guard, ended, signal } = start();

  const stop = () => signal("SIGTERM");
  options.stop?.addEventListener("abort", stop, { once: true });
  const answers = lineByLine(output);
  /** Whatever else the server says meanwhile is no answer: who took it for one would leave before everything was looked at. */
  const ask = async (text: string, id: string): Promise<"answered" | "refused"> => {
    guard.fromHost(Buffer.from(text));
    for (let next = await answers.next(); next.done !== true; next = await answers.next()) {
      const reading = readJson(next.value);
      if (reading.is === "refused") continue;
      const answered = memberOf(reading.json, "id");
      if (answered?.is !== "number" || answered.token !== id || memberOf(reading.json, "method") !== undefined)
        continue;
      return memberOf(reading.json, "result") === undefined ? "refused" : "answered";
    }
    return "refused";
  };
  const talk = async (): Promise<undefined> => {
    if (options.newerEra === true || (await ask(initialize, "1")) === "refused") await ask(discover, "2");
    return undefined;
  };
  const ending = await Promise.race([talk(), ended, timeOut(options.deadline)]);
  input.end();
  if (ending === "timed out") failures.push({ source: "initialize", code: "NO_ANSWER" });
  if (ending === "timed out") signal("SIGTERM");
  await ended;
  options.stop?.removeEventListener("abort", stop);
  return {
    offers: [...offers.values()],
    failures,
    ...(ending === undefined || ending === "timed out" ? {} : { ended: ending }),
    ...(unreached === undefined ? {} : { unreached }),
    lastWords,
    asksToSignIn,
  };
}

interface Started {
  readonly guard: { fromHost(bytes: Uint8Array): void };
  /** Nothing where there is no process. */
  readonly ended: Promise<Ending | undefined>;
  signal(signal: NodeJS.Signals): void;
}

const signIn =
  /\b(?:401|unauthori[sz]ed|unauthenticated|not (?:logged|signed) in|(?:sign|log) ?in (?:to|with|at|first|required)|(?:please|must|need to) (?:sign|log) ?in|authenticat(?:e|ion) (?:required|first|needed)|authori[sz]e this|no (?:access )?token|missing (?:api|access)[ _-]?(?:key|token))\b/i;

const clientInfo = `{"name":"countersign","version":"${version}"}`;
const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":${clientInfo}}}`;
const envelope =
  '"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},' +
  `"io.modelcontextprotocol/clientInfo":${clientInfo}`;
const discover = `{"jsonrpc":"2.0","id":2,"method":"server/discover","params":{"_meta":{${envelope}}}}`;

/** No method is allowed, so nothing is ever judged. */
async function* lineByLine(stream: PassThrough): AsyncGenerator<string, undefined> {
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + String(chunk)).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  return undefined;
}

function timeOut(milliseconds: number): Promise<"timed out"> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds, "timed out" as const).unref());
}
