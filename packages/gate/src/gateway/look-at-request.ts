import type { IncomingMessage, ServerResponse } from "node:http";
import { asServerName, type ServerName } from "@countersign/core";
import type { Access, Admitted } from "../access/admission.ts";
import { answerError, answerRefusal } from "../access/answer-refusal.ts";
import { allowReading, answerPreflight, isPreflight } from "../access/cors.ts";
import { type Reachable, reachedBy } from "../access/host-and-origin.ts";
import { isOfThisMachine } from "../access/of-this-machine.ts";
import type { Refusals } from "../access/refusals.ts";
import { answerMetadata, metadataPath } from "../access/resource-metadata.ts";
import type { GatewayLimits } from "./limits.ts";

/** A page of the gateway's own, at one path. */
export interface Page {
  /** `unrestricted`: whoever may use every server, and anybody on this machine where the gateway listens for it alone. */
  readonly for: "anybody" | "unrestricted";
  readonly answer: (request: IncomingMessage, response: ServerResponse) => void;
}

export interface Looking extends Reachable {
  readonly access: Access;
  readonly refusals: Refusals;
  readonly limits: GatewayLimits;
  readonly pages: ReadonlyMap<string, Page>;
  /** Clients reach it by https. */
  readonly secure: boolean;
}

export interface LetIn {
  readonly server: ServerName;
  readonly admitted: Admitted;
  /** What follows the path, with its question mark; or nothing. */
  readonly query: string;
}

/** All that can be told of a request from its headers. Undefined where it was answered. */
export async function lookAtRequest(
  request: IncomingMessage,
  response: ServerResponse,
  looking: Looking,
): Promise<LetIn | undefined> {
  const { access, limits, pages, refusals, onLoopback } = looking;
  const address = request.socket.remoteAddress ?? "";
  response.setHeader("x-content-type-options", "nosniff");
  if (request.rawHeaders.length > 2 * limits.headers) return answerError(response, 431, "too many headers");
  const { path, query } = partsOf(request.url ?? "");
  const page = pages.get(path);
  // Whoever asks whether it lives may not know its name, and learns nothing else.
  if (page?.for === "anybody") return shown(page, request, response);
  const reached = reachedBy(request, looking);
  if (reached.is === "foreign") {
    switch (reached.what) {
      case "target":
        return answerError(response, 400, "the target is not a path");
      case "host":
        refusals.say("FOREIGN_HOST", address);
        return answerError(response, 403, "the Host of this request is not one of this gateway");
      case "origin":
        refusals.say("FOREIGN_ORIGIN", address);
        return answerError(response, 403, "pages of this Origin may not ask");
    }
  }
  if (reached.origin !== undefined) {
    allowReading(response, reached.origin);
    if (isPreflight(request)) return answerPreflight(request, response);
  }
  const base = `${looking.secure ? "https" : "http"}://${reached.host}`;
  const described = access.issuer === undefined ? undefined : describedAt(path);
  if (described !== undefined && access.issuer !== undefined) {
    return answerMetadata(request, response, access.issuer, { base, server: described.server });
  }
  const server = serverIn(path);
  if (page === undefined && server === undefined) return answerError(response, 404, "there is nothing at this path");
  if (page !== undefined && onLoopback && isOfThisMachine(request)) return shown(page, request, response);
  const admission = await access.admit(request, server);
  if (admission.is === "refused") {
    const metadata =
      access.issuer === undefined ? undefined : `${base}${metadataPath}${server === undefined ? "" : path}`;
    return answerRefusal(response, refusals.note(admission.because, address, server), metadata);
  }
  if (server === undefined) return page === undefined ? undefined : shown(page, request, response);
  if (Number(request.headers["content-length"] ?? 0) > limits.bodyBytes) {
    return answerError(response, 413, `the body is larger than ${limits.bodyBytes} bytes`);
  }
  return { server, admitted: admission, query };
}

function shown(page: Page, request: IncomingMessage, response: ServerResponse): undefined {
  page.answer(request, response);
}

function partsOf(url: string): { readonly path: string; readonly query: string } {
  const mark = url.indexOf("?");
  return mark < 0 ? { path: url, query: "" } : { path: url.slice(0, mark), query: url.slice(mark) };
}

/** The operator's name in `/<server>/mcp`. */
function serverIn(path: string): ServerName | undefined {
  const name = /^\/(?<name>[^/]{1,64})\/mcp$/.exec(path)?.groups?.["name"];
  return name === undefined ? undefined : asServerName(name);
}

function describedAt(path: string): { readonly server: ServerName | undefined } | undefined {
  if (path === metadataPath || path === `${metadataPath}/`) return { server: undefined };
  if (!path.startsWith(metadataPath)) return undefined;
  const server = serverIn(path.slice(metadataPath.length));
  return server === undefined ? undefined : { server };
}
