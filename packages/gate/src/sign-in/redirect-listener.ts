import { timingSafeEqual } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { SignInError } from "./sign-in-error.ts";

/** Where the browser comes back to: one port of this machine, for one answer. */
export interface RedirectListener {
  readonly redirectUrl: string;
  /** The answer that carries our `state`. Whatever else comes is turned away, and ends nothing. */
  readonly answer: Promise<RedirectAnswer>;
  close(): void;
}

export interface RedirectAnswer {
  readonly params: URLSearchParams;
  /** Shows the person how it went. */
  show(signedIn: boolean): void;
}

/** @param port 0: any that is free */
export async function listenForRedirect(state: string, port = 0): Promise<RedirectListener> {
  const { promise: answer, resolve, reject } = Promise.withResolvers<RedirectAnswer>();
  // Nobody may ever ask, and then it fails unheard.
  answer.catch(() => undefined);
  let answered = false;
  const server = createServer({ maxHeaderSize: 32_768, requestTimeout: 10_000 }, (request, response) => {
    const { port: own } = server.address() as AddressInfo;
    const url = URL.parse(request.url ?? "", `http://127.0.0.1:${own}`);
    // A page on the web can have a name of its own resolved to this machine, but not send this Host.
    if (request.headers.host !== `127.0.0.1:${own}`) end(response, 403, unknownPage);
    else if (url?.pathname !== path) end(response, 404, unknownPage);
    else if (request.method !== "GET") end(response, 405, unknownPage);
    else if (answered || !same(url.searchParams, state)) end(response, 400, unknownPage);
    else {
      answered = true;
      response.on("close", () => server.close());
      resolve({
        params: url.searchParams,
        show: (signedIn) => end(response, signedIn ? 200 : 400, signedIn ? signedInPage : failedPage),
      });
    }
  });
  await new Promise<void>((listening, failed) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      failed(new SignInError({ is: "NO_PORT", port, because: error.code ?? error.name }, { cause: error })),
    );
    server.listen({ host: "127.0.0.1", port }, listening);
  });
  return {
    redirectUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    answer,
    close() {
      reject(new SignInError({ is: "STOPPED" }));
      server.close();
      server.closeIdleConnections();
    },
  };
}

const path = "/callback";

/** Each parameter once: of two, another reader might take the other. */
function same(params: URLSearchParams, state: string): boolean {
  for (const name of ["state", "code", "iss", "error"]) if (params.getAll(name).length > 1) return false;
  const given = Buffer.from(params.get("state") ?? "");
  const own = Buffer.from(state);
  return given.length === own.length && timingSafeEqual(given, own);
}

function end(response: ServerResponse, status: number, page: string): void {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    connection: "close",
  });
  response.end(page);
}

/** Nothing on these pages is from the request: a server may have written all of that. */
const pageOf = (title: string, text: string) =>
  `<!doctype html><html lang="en"><title>Countersign: ${title}</title><h1>${title}</h1><p>${text}</p></html>\n`;
const signedInPage = pageOf("Signed in", "You can close this page.");
const failedPage = pageOf("Not signed in", "Countersign says why where it was started. You can close this page.");
const unknownPage = pageOf("Not expected", "Countersign did not ask for this.");
