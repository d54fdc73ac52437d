import type { Kind, Objection, OfferRefusal, Reason, Source } from "@countersign/core";
import type { FrameRefusal } from "./frame.ts";
import type { CutCode } from "./http/answer-relay.ts";

/** What happened on a connection that somebody may want to know. Never holds the server's words, save for names. */
export type WireEvent =
  /** The server has answered the host for the first time. */
  | { readonly is: "answered" }
  /** The host has its answer to a request for a list or a handshake. */
  | { readonly is: "listed"; readonly source: Source }
  /** What the server offers under this source was had whole, and ruled on. */
  | { readonly is: "verified"; readonly source: Source; readonly by: Checkpoint }
  /** The host has its handshake, and the server has not answered the guard for these lists yet. */
  | { readonly is: "lists-late"; readonly sources: readonly Source[]; readonly seconds: number }
  | { readonly is: "no-answer-yet"; readonly method: string; readonly seconds: number }
  | {
      readonly is: "frame-refused";
      readonly from: "host" | "server";
      readonly code: FrameRefusal["code"];
      readonly at: number;
    }
  | { readonly is: "unasked-answer"; readonly from: "host" | "server" }
  /** An answer that was passed on as it came went on as it may not. */
  | { readonly is: "cut-off"; readonly code: CutCode }
  | { readonly is: "method-refused"; readonly from: "host" | "server"; readonly method: string }
  /** `because` is empty where no gate had a say. */
  | {
      readonly is: "ask-refused";
      readonly method: string;
      readonly code: string;
      readonly because: readonly Objection[];
    }
  | { readonly is: "not-approved-yet"; readonly method: string }
  /** The server said more than is held for a host that has not said that it is ready. */
  | { readonly is: "not-ready-yet" }
  | { readonly is: "list-failed"; readonly source: Source; readonly code: ListFailure["code"] }
  | {
      readonly is: "use-refused";
      readonly kind: Kind;
      readonly name: string;
      readonly code: string;
      readonly review: string;
    }
  | { readonly is: "withheld"; readonly count: number }
  /** The host is given what nobody approved as it is, because the operator lets everything pass. */
  | { readonly is: "let-through"; readonly count: number }
  | {
      readonly is: "use-let-through";
      readonly kind: Kind;
      readonly name: string;
      /** Why it would be refused. */
      readonly code: string;
      readonly review: string;
    }
  /** The ledger, a gate or the guard itself failed. What waited for it was withheld. */
  | { readonly is: "broken"; readonly what: string; readonly error: string };

/**
 * Why an offer was looked at: before the handshake was answered, as the handshake itself, because the host asked for it,
 * because it had changed or was too old, or because of a call.
 */
export type Checkpoint = "load" | "session" | "list" | "change" | "call";

/** Why a complete list could not be had. */
export interface ListFailure {
  readonly code:
    | OfferRefusal["code"]
    | "SERVER_ERROR"
    | "NO_ANSWER"
    | "ENDLESS_PAGES"
    | "TOO_MANY_DEFINITIONS"
    | "REPEATED_CURSOR"
    | "BAD_CURSOR"
    | "FRAME_REFUSED"
    | "CLOSED";
}

/** The code that a host is told, of all reasons why a definition is withheld: what the person has to look at first. */
export function codeOf(reasons: readonly Reason[]): Reason["code"] {
  const order = [
    "GATE_FAILED",
    "LAUNCH_CHANGED",
    "MALFORMED",
    "UNSTABLE",
    "DESCRIPTION_MUTATION",
    "NOT_ALLOWED",
    "PLAN_UNFIT",
    "PLAN_CHANGED",
    "REJECTED",
    "REVOKED",
    "EXPIRED",
    "FINDING",
    "NO_BASELINE",
  ] as const;
  for (const code of order) if (reasons.some((reason) => reason.code === code)) return code;
  return "NO_BASELINE";
}
