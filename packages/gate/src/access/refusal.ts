/**
 * Why a request is not let in. None says more to a caller without a credential than that it has none; what is said of a
 * credential is said to whoever holds all of it.
 */
export type Refusal =
  | { readonly code: "NO_CREDENTIAL" }
  /** Several `Authorization` headers, or one that is no bearer token: RFC 6750 §3.1. */
  | { readonly code: "MALFORMED_HEADER" }
  | { readonly code: "KEY_MISTYPED" | "KEY_UNKNOWN" | "KEY_REVOKED" | "KEY_EXPIRED" }
  | { readonly code: "TOKENS_NOT_TAKEN" }
  | { readonly code: TokenFault }
  /** The token lacks one of these scopes. */
  | { readonly code: "SCOPE_MISSING"; readonly scopes: readonly string[] }
  /** It may not use this server; whether there is one of that name is not said. */
  | { readonly code: "SERVER_NOT_ALLOWED" }
  | { readonly code: "NO_SUCH_SERVER" }
  /** Too many that were refused have come from its address. */
  | { readonly code: "TOO_MANY_REFUSED"; readonly seconds: number }
  /** It cannot be told now; nobody is let in by what cannot be looked up. */
  | { readonly code: "KEY_SET_UNREACHABLE" | "KEY_SET_UNREADABLE" | "LEDGER_TROUBLE" };

export type TokenFault =
  | "TOKEN_MALFORMED"
  | "TOKEN_ALGORITHM"
  | "TOKEN_KEY_UNKNOWN"
  | "TOKEN_SIGNATURE"
  | "TOKEN_ISSUER"
  | "TOKEN_AUDIENCE"
  | "TOKEN_EXPIRED"
  | "TOKEN_NOT_YET"
  | "TOKEN_CLAIMS";
