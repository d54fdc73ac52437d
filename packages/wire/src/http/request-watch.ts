/** A request of a host's, as somebody who keeps count may want to know it. All of it is host-written. */
export interface WatchedRequest {
  readonly method: string;
  /** The key of its JSON-RPC id. */
  readonly id: string;
  readonly protocol?: string;
  readonly session?: string;
  /** W3C Trace Context: from `_meta`, else from the headers. */
  readonly traceparent?: string;
  readonly tracestate?: string;
}

export interface RequestWatch {
  /** The guard lets it go to the server. `tool`: the one that it calls, which is approved text. */
  readonly passed: (tool?: string) => void;
  /** Said once. */
  readonly ended: (how: RequestEnd) => void;
}

export type RequestEnd =
  | { readonly is: "result" }
  /** A result of a tool that says `isError`. */
  | { readonly is: "tool-error" }
  /** The server's own error. */
  | { readonly is: "error"; readonly code?: number }
  /** An error of the guard's. */
  | { readonly is: "refused"; readonly code?: number }
  /** The host took it back, or went away. */
  | { readonly is: "cancelled" }
  /** The server went away, or could not be reached. */
  | { readonly is: "lost" }
  /** An answer that had begun went on in a way that may not pass. */
  | { readonly is: "cut-off" };
