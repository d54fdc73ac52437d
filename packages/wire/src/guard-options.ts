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
  /** Derive the list again before every call, even where nothing says that it changed. */
  readonly refetchOnCall: boolean;
}

export interface GuardLimits {
  /** Milliseconds that the server has to answer a request of the guard's own. */
  readonly answer: number;
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
  ...{ answer: 20_000, patience: 10_000, pages: 100, definitions: 20_000 },
  ...{ bodies: 200, bodiesBy: 2_000 },
};
