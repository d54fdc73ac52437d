import type { ServerName } from "@countersign/core";
import type { RemoteFailure } from "@countersign/wire/http";

/** Why a server at a URL did not answer its host, and what to do. Nothing that it wrote stands here but its status. */
export function sayRemoteFailure(code: RemoteFailure, server: ServerName, status?: number): string {
  if (code !== "NEEDS_SIGN_IN") return sayUnreached(code, status);
  return `NEEDS_SIGN_IN: the server asks who you are; run "countersign sign-in ${server}", then reconnect the host`;
}

export function sayUnreached(code: Exclude<RemoteFailure, "NEEDS_SIGN_IN">, status?: number): string {
  switch (code) {
    case "REFUSED":
      return `REFUSED: the server refused a message${status === undefined ? "" : ` with the status ${status}`}; check the URL and the headers`;
    case "SESSION_GONE":
      return "SESSION_GONE: the server has forgotten this session and opens no other; reconnect the host";
    case "UNREACHABLE":
      return "UNREACHABLE: the server takes no connection, or broke it off before it answered; check the URL and the network";
    case "BAD_CERTIFICATE":
      return "BAD_CERTIFICATE: nobody that this machine trusts says that it is this server; check the URL, or name your own authority in NODE_EXTRA_CA_CERTS";
    case "BROKE_OFF":
      return "BROKE_OFF: the connection ended in the middle of an answer";
    case "TIMED_OUT":
      return "TIMED_OUT: the server said nothing for too long";
    case "BAD_CONTENT_TYPE":
      return "BAD_CONTENT_TYPE: the answer is neither JSON nor an event stream; check that the URL is that of an MCP endpoint";
    case "REDIRECTED":
      return "REDIRECTED: the server sends us elsewhere, which is not followed; put the URL that it means into the command";
    case "BAD_SESSION_ID":
      return "BAD_SESSION_ID: the name that the server gave this session is none that may be sent back";
    case "BAD_ENDPOINT":
      return "BAD_ENDPOINT: the server speaks the older HTTP with SSE and names no endpoint on its own origin";
    case "BAD_HTTP":
      return "BAD_HTTP: the answer is no HTTP, or its headers are too long";
    case "TOO_MANY_EXCHANGES":
      return "TOO_MANY_EXCHANGES: too many requests wait for the server already";
    case "NO_HEADERS":
      return "NO_HEADERS: the headers for the server could not be had";
  }
}
