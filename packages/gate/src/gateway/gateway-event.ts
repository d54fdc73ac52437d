import type { ServerName } from "@countersign/core";
import type { WireEvent } from "@countersign/wire";
import type { RemoteFailure, RequestEnd, TurnedAway } from "@countersign/wire/http";
import type { AccessEvent } from "../access/access-event.ts";
import type { LedgerEvent } from "../ledger-event.ts";
import type { Ignored } from "../project/config-files.ts";
import type { Standings } from "./told-rulings.ts";
import type { ReachProblem } from "./usable-reach.ts";

/**
 * What happens in a gateway: what its log, its metrics and its traces are made of. No event holds what a server wrote, save
 * those that `WireEvent` says; what a host wrote stands in `HostRequest` only.
 */
export type GatewayEvent =
  /** `at`: its URL, with the port that was taken. */
  | { readonly is: "listening"; readonly at: string }
  | { readonly is: "stopped" }
  /** What a project's config says, and may not: it loosens, or it is about the gateway. */
  | ({ readonly is: "ignored"; readonly because: "loosens" | "not-for-a-project" } & Ignored)
  /** Of who called, and of the listening itself. */
  | { readonly is: "access"; readonly event: AccessEvent }
  /** Nothing of an HTTP request that was let in came to a guard. */
  | { readonly is: "turned-away"; readonly server: ServerName; readonly code: TurnedAway }
  | { readonly is: "session-opened"; readonly server: ServerName; readonly principal: string }
  | {
      readonly is: "session-closed";
      readonly server: ServerName;
      readonly principal: string;
      readonly by: "host" | "server" | "idle" | "drain";
    }
  /** A stream that stays open: a GET, or `subscriptions/listen`. Not one that only answers. */
  | { readonly is: "stream-opened"; readonly server: ServerName }
  | { readonly is: "stream-closed"; readonly server: ServerName }
  | { readonly is: "request-began"; readonly request: HostRequest }
  /** The guard lets it go to the server. `tool`: the one that it calls, which is approved text. */
  | { readonly is: "request-passed"; readonly request: HostRequest; readonly tool?: string }
  | { readonly is: "request-ended"; readonly request: HostRequest; readonly outcome: Outcome }
  | { readonly is: "child-started"; readonly server: ServerName }
  | { readonly is: "child-ended"; readonly server: ServerName; readonly how: ChildEnd }
  /** It ended too often, and is not started again for so many seconds. */
  | { readonly is: "child-backs-off"; readonly server: ServerName; readonly seconds: number }
  /** The server is not reached as it was approved to be, so it is not reached at all. */
  | { readonly is: "launch-held"; readonly server: ServerName; readonly review: string }
  /** As its part of the config and the variables are now, it cannot be reached. */
  | { readonly is: "unreachable"; readonly server: ServerName; readonly problems: readonly ReachProblem[] }
  /** As many have definitions of their own as the ledger takes: what more are offered is ruled on, and not journalled. */
  | { readonly is: "too-many-principals"; readonly server: ServerName }
  | { readonly is: "upstream-failed"; readonly server: ServerName; readonly code: RemoteFailure }
  /** How many definitions of a list stand how, when that was ruled anew. */
  | ({ readonly is: "ruled" } & Standings)
  | { readonly is: "ledger"; readonly server: ServerName; readonly event: LedgerEvent }
  | { readonly is: "wire"; readonly server: ServerName; readonly principal: string; readonly event: WireEvent };

/** One request of a host, from its first byte to the end of its answer. One object each: events are matched by it. */
export interface HostRequest {
  readonly server: ServerName;
  /** `Principal.id`. */
  readonly principal: string;
  /** When it came, by `performance.now()`. */
  readonly began: number;
  /** Host-written, and so is all below. */
  readonly method: string;
  /** The key of its JSON-RPC id. */
  readonly id: string;
  readonly protocol?: string;
  readonly session?: string;
  /** From `_meta`, else from the headers. */
  readonly traceparent?: string;
  readonly tracestate?: string;
}

export type Outcome = RequestEnd;

export type ChildEnd = "exited" | "killed" | "not-started" | "stopped";
