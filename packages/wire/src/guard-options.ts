import type { Offer, Ruling, ServerName } from "@countersign/core";
import type { WireEvent } from "./wire-event.ts";

export interface GuardOptions {
  readonly server: ServerName;
  /** Rules on an offer by the ledger and the policy as they are now. */
  readonly rule: (offer: Offer) => Promise<readonly Ruling[]>;
  /** Whether anything of this server may pass. Until then nothing that it wrote does, not even an error. */
  readonly known: () => Promise<boolean>;
  /** One message each, without line terminators. */
  readonly toHost: (text: string) => void;
  readonly toServer: (text: string) => void;
  readonly report: (event: WireEvent) => void;
  /** A text that no host can guess; own request ids begin with it. */
  readonly nonce: string;
  readonly checkpoints: Checkpoints;
  readonly limits?: Partial<GuardLimits>;
}

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
}

export const defaultLimits: GuardLimits = {
  answer: 20_000,
  load: 5_000,
  patience: 10_000,
  pages: 100,
  definitions: 20_000,
};
