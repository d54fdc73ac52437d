import type { Exchange } from "./remote-options.ts";

/** Where a message of a server's came in: the guard's `Via`. */
export interface Heard {
  readonly exchange: Exchange;
  /** The id that the server gave to the event, for a host that asks for what came after it. */
  readonly event?: string;
}
