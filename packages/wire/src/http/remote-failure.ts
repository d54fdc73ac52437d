import type { ExchangeEnd, LostCode } from "./remote-options.ts";

/** Why an exchange ended without what was asked for. */
export type RemoteFailure = LostCode | "REFUSED" | "NEEDS_SIGN_IN" | "SESSION_GONE";

export function failureOf(end: ExchangeEnd): RemoteFailure | undefined {
  switch (end.is) {
    case "done":
    case "stopped":
      return undefined;
    case "refused":
      return "REFUSED";
    case "lost":
      return end.code;
    case "needs-sign-in":
      return "NEEDS_SIGN_IN";
    case "session-gone":
      return "SESSION_GONE";
  }
}
