import type { RemoteFailure } from "@countersign/wire/http";
import type { Look } from "./look.ts";

/** Why nothing at all could be looked at. */
export type LookFailure =
  /** It ended or kept silent, and had said on stderr that somebody has to sign in; or it is at a URL and asks who we are. */
  | { readonly code: "NEEDS_SIGN_IN" }
  /** The system's own word, as `ENOENT`. */
  | { readonly code: "NOT_STARTED"; readonly detail: string }
  | { readonly code: "EXITED"; readonly detail: number }
  | { readonly code: "KILLED"; readonly detail: NodeJS.Signals }
  /** It is at a URL, and did not answer there. */
  | { readonly code: "NOT_REACHED"; readonly detail: Exclude<RemoteFailure, "NEEDS_SIGN_IN"> }
  | { readonly code: "NO_ANSWER" | "NO_HANDSHAKE" };

export function lookFailureOf(look: Look): LookFailure | undefined {
  const failure = plainFailureOf(look);
  return failure !== undefined && failure.code !== "NOT_STARTED" && look.asksToSignIn
    ? { code: "NEEDS_SIGN_IN" }
    : failure;
}

function plainFailureOf({ ended, failures, offers, unreached }: Look): LookFailure | undefined {
  if (unreached !== undefined && offers.length === 0)
    return unreached === "NEEDS_SIGN_IN" ? { code: unreached } : { code: "NOT_REACHED", detail: unreached };
  if (ended?.is === "not-started") return { code: "NOT_STARTED", detail: ended.code };
  if (ended?.is === "exited") return { code: "EXITED", detail: ended.code };
  if (ended?.is === "killed") return { code: "KILLED", detail: ended.signal };
  if (failures.some(({ source, code }) => source === "initialize" && code === "NO_ANSWER"))
    return { code: "NO_ANSWER" };
  return offers.length === 0 ? { code: "NO_HANDSHAKE" } : undefined;
}
