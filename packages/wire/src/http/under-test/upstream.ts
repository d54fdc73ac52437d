import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { RemoteLink } from "../remote-link.ts";
import type { Exchange, ExchangeEnd, Head, LargeAnswer, RemoteOptions } from "../remote-options.ts";

/** A request that came to a server, with its body. */
export interface Came {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A server of node:http that does whatever a test wants it to. */
export async function upstream(answer: (came: Came, response: ServerResponse) => void): Promise<Upstream> {
  const came: Came[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const { method = "", url: path = "", headers } = request;
      const one = { method, path, headers, body: Buffer.concat(parts).toString() };
      came.push(one);
      answer(one, response);
    });
  });
  server.on("connection", () => connections++);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    came,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

export interface Upstream extends AsyncDisposable {
  readonly url: URL;
  readonly came: readonly Came[];
  readonly connections: () => number;
}

export type Told =
  | { readonly begins: Head }
  | { readonly message: string; readonly id?: string }
  | { readonly beat: { readonly id?: string; readonly retry?: number } }
  | { readonly tooLong: number }
  | { readonly large: number; readonly complete: boolean; readonly id?: string }
  | { readonly ends: ExchangeEnd };

export interface Heard extends AsyncDisposable {
  readonly link: RemoteLink;
  /** What was told, with the exchange of each. */
  readonly told: readonly { readonly of: Exchange; readonly what: Told }[];
  readonly reopenings: () => number;
  /** All that is told of an exchange, when it is over. */
  over(exchange: Exchange): Promise<readonly Told[]>;
  /** The end of it. */
  end(exchange: Exchange): Promise<ExchangeEnd>;
  /** Resolves when something that fits was told. */
  until(fits: (what: Told, of: Exchange) => boolean): Promise<void>;
}

type Given = Partial<Omit<RemoteOptions, "heard">> & { readonly takeLarge?: () => LargeAnswer | undefined };

/** A link whose listener writes down everything. */
export function hear(url: URL, { takeLarge, ...given }: Given = {}): Heard {
  const told: { of: Exchange; what: Told }[] = [];
  const waiting = new Set<() => void>();
  let reopenings = 0;
  const tell = (of: Exchange, what: Told) => {
    told.push({ of, what });
    for (const look of waiting) look();
  };
  const link = new RemoteLink({
    headers: async () => new Map(),
    unauthorized: async () => false,
    resumes: false,
    ...given,
    url,
    heard: {
      begins: (of, begins) => tell(of, { begins }),
      message: (bytes, of, event) => tell(of, { message: bytes.toString(), ...event }),
      beat: (of, beat) => tell(of, { beat }),
      tooLong: (ends, of) => tell(of, { tooLong: ends.length }),
      large: (of) => {
        if (takeLarge !== undefined) return takeLarge();
        let large = 0;
        return {
          push: (bytes) => {
            large += bytes.length;
            return true;
          },
          onDrain: () => undefined,
          end: (complete, event) => tell(of, { large, complete, ...event }),
        };
      },
      ends: (of, ends) => tell(of, { ends }),
      reopened: () => {
        reopenings++;
      },
    },
  });
  const until = (fits: (what: Told, of: Exchange) => boolean): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = () => {
      if (!told.some(({ of, what }) => fits(what, of))) return;
      waiting.delete(look);
      resolve();
    };
    waiting.add(look);
    look();
    return promise;
  };
  const over = async (exchange: Exchange) => {
    await until((what, of) => of === exchange && "ends" in what);
    return told.filter(({ of }) => of === exchange).map(({ what }) => what);
  };
  return {
    ...{ link, told, until, over },
    reopenings: () => reopenings,
    end: async (exchange) => {
      const last = (await over(exchange)).at(-1);
      if (last === undefined || !("ends" in last)) throw new Error("something was told after the end");
      return last.ends;
    },
    [Symbol.asyncDispose]: () => link.close(),
  };
}
