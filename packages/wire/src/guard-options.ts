import type { Json, Objection, Offer, Ruling, Sampling, ServerName } from "@countersign/core";
import type { Bound, CallGate } from "./call-gate.ts";
import type { Pending } from "./host-requests.ts";
import type { WireEvent } from "./wire-event.ts";

export interface GuardOptions {
  readonly server: ServerName;
  /** Rules on an offer by the ledger and the policy as they are now. */
  readonly rule: (offer: Offer) => Promise<readonly Ruling[]>;
  /** Whether anything of this server may pass. Until then nothing that it wrote does, not even an error. */
  readonly known: () => Promise<boolean>;
  /** What each call of a tool is held against. Asked for at the first call. */
  readonly calls: () => Promise<CallGate>;
  readonly allowed: Allowed;
  /** One message each, without line terminators; of a long one that is known already, its bytes. */
  readonly toHost: (message: string | Uint8Array, about: About) => void;
  readonly toServer: (text: string, sent: Sent) => void;
  /** Whether that came in only because of a request of the guard's own: no host is asked anything then. */
  readonly isOwn?: (via: Via) => boolean;
  readonly report: (event: WireEvent) => void;
  /** A text that no host can guess; own request ids begin with it. */
  readonly nonce: string;
  readonly checkpoints: Checkpoints;
  readonly limits?: Partial<GuardLimits>;
}

/** Where a message of the server's came in. The guard only hands it back. */
export type Via = object;

/** Whose request: the host's own id, and its seat where hosts share the connection. `key`: where the server knows of it. */
export type Asker = Pick<Pending, "id" | "seat"> & Partial<Pick<Pending, "key">>;

/** Whom a message is for, where more than one host or stream could have it. */
export interface About {
  /** The request that it answers, or that it belongs to. Absent: it belongs to none. */
  readonly request?: Asker;
  /** Whether the request is over with it, and how. */
  readonly answers: "no" | "result" | "error";
  /** Of a notification. */
  readonly method?: string;
  /** Of an error. */
  readonly code?: number | undefined;
  /** Whether the error is the server's. */
  readonly isServers?: boolean;
  /** Whether the result is that of a tool, and says that it failed. */
  readonly isToolError?: boolean;
  /** The key of the id of a request that the server makes of a host. */
  readonly asks?: string;
  /** Where the message came in that this one is, or is made of. */
  readonly via?: Via | undefined;
}

/** What a message to the server is, for whoever has to say so beside the message. */
export type Sent =
  /** `key`: of the id under which the server knows it. `params` stand where they were read already; `bound`: the tool that is called. */
  | {
      readonly is: "request";
      readonly key: string;
      readonly method: string;
      readonly params?: Json | undefined;
      readonly of?: Asker;
      readonly bound?: Bound;
    }
  /** `cancels`: the key of the request that it takes back. */
  | { readonly is: "notification"; readonly method: string; readonly cancels?: string }
  | { readonly is: "answer"; readonly key: string };

/** What the operator lets pass beside what always does. */
export interface Allowed {
  /** Methods of requests and notifications, in both directions. */
  readonly methods: ReadonlySet<string>;
  /** What the gates hold against a sampling request, by the ledger and the policy as they are now. */
  readonly judge: (sampling: Sampling) => Promise<readonly Objection[]>;
}

/** When lists are derived, beside the host's own requests for them. */
export interface Checkpoints {
  /** Derive every list before the handshake is answered, so that the notice can say what is withheld. */
  readonly load: boolean;
  /** Derive a list again, though nobody asks for it, where it is said to have changed or is too old. */
  readonly change: boolean;
  /** Derive the list again before every call, even where nothing says that it changed. */
  readonly refetchOnCall: boolean;
  /** Milliseconds after which a list is too old to be relied on. */
  readonly maxAge?: number;
}

export interface GuardLimits {
  /** Milliseconds that the server has to answer a request of the guard's own. */
  readonly answer: number;
  /** Milliseconds that a handshake waits for the lists. */
  readonly load: number;
  /** Milliseconds until somebody is told that the server has not answered the host. */
  readonly patience: number;
  readonly pages: number;
  readonly definitions: number;
  /** Standing texts that are asked for before a host wants them. */
  readonly bodies: number;
  /** Milliseconds that a handshake waits for them. */
  readonly bodiesBy: number;
}

export const defaultLimits: GuardLimits = {
  ...{ answer: 20_000, load: 5_000, patience: 10_000, pages: 100, definitions: 20_000 },
  ...{ bodies: 200, bodiesBy: 2_000 },
};
