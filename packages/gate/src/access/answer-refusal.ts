import type { ServerResponse } from "node:http";
import type { Refusal } from "./refusal.ts";

/** @param metadata the URL of the description of where tokens for this resource come from, where any are taken */
export function answerRefusal(response: ServerResponse, refusal: Refusal, metadata: string | undefined): undefined {
  const { status, error, says, wait } = answerTo(refusal);
  if (status === 401 || status === 400 || error === "insufficient_scope") {
    const parameters = [
      ...(error === undefined ? [] : [`error="${error}"`, `error_description="${says}"`]),
      ...(refusal.code === "SCOPE_MISSING" ? [`scope="${refusal.scopes.join(" ")}"`] : []),
      ...(metadata === undefined ? [] : [`resource_metadata="${metadata}"`]),
    ];
    response.setHeader("www-authenticate", `Bearer ${['realm="countersign"', ...parameters].join(", ")}`);
  }
  if (wait !== undefined) response.setHeader("retry-after", String(wait));
  answerError(response, status, says);
}

/** An answer of the gateway's own, as hosts read one: an error that belongs to no request. */
export function answerError(response: ServerResponse, status: number, says: string): undefined {
  const error = { code: -32_000, message: `Countersign: ${says}` };
  const body = JSON.stringify({ jsonrpc: "2.0", id: null, error });
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
  });
  response.end(body);
}

interface Answer {
  readonly status: number;
  /** RFC 6750 §3.1. */
  readonly error?: "invalid_request" | "invalid_token" | "insufficient_scope";
  /** Of ours only, and without a quote or a backslash: it stands in a header as well. */
  readonly says: string;
  readonly wait?: number;
}

function answerTo(refusal: Refusal): Answer {
  switch (refusal.code) {
    case "NO_CREDENTIAL":
      return { status: 401, says: "a bearer token is needed" };
    case "MALFORMED_HEADER":
      return { status: 400, error: "invalid_request", says: "the Authorization header is not one bearer token" };
    case "KEY_MISTYPED":
      return invalid("the key is not complete, or mistyped");
    case "KEY_UNKNOWN":
      return invalid("the key is not known");
    case "KEY_REVOKED":
      return invalid("the key was revoked");
    case "KEY_EXPIRED":
      return invalid("the key has expired");
    case "TOKENS_NOT_TAKEN":
      return invalid("it is not a key of this gateway");
    case "TOKEN_MALFORMED":
      return invalid("the token is not a signed JWT");
    case "TOKEN_ALGORITHM":
      return invalid("the algorithm of the token is not accepted");
    case "TOKEN_KEY_UNKNOWN":
      return invalid("the key that signed the token is not known");
    case "TOKEN_SIGNATURE":
      return invalid("the signature of the token is not valid");
    case "TOKEN_ISSUER":
      return invalid("the token has another issuer");
    case "TOKEN_AUDIENCE":
      return invalid("the token was issued for another audience");
    case "TOKEN_EXPIRED":
      return invalid("the token has expired");
    case "TOKEN_NOT_YET":
      return invalid("the token is not valid yet");
    case "TOKEN_CLAIMS":
      return invalid("the token lacks a claim that is needed");
    case "SCOPE_MISSING":
      return { status: 403, error: "insufficient_scope", says: "the token lacks a scope" };
    case "SERVER_NOT_ALLOWED":
      return { status: 403, says: "this server may not be used with this credential" };
    case "NO_SUCH_SERVER":
      return { status: 404, says: "there is no such server" };
    case "TOO_MANY_REFUSED":
      return { status: 429, says: "too many refused requests", wait: refusal.seconds };
    case "KEY_SET_UNREACHABLE":
    case "KEY_SET_UNREADABLE":
      return { status: 503, says: "the keys of the token's issuer cannot be had now", wait: 5 };
    case "LEDGER_TROUBLE":
      return { status: 503, says: "the keys cannot be looked up now", wait: 5 };
  }
}

function invalid(says: string): Answer {
  return { status: 401, error: "invalid_token", says };
}
