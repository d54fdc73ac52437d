/** What one HTTP exchange with a server carries: the POST of one message of ours, or a stream that we asked for. */
export interface Exchange {
  readonly of: "request" | "notification" | "answer" | "stream";
  /** The key of the id of the request. */
  readonly id?: string;
}

/** Where a message of a server's came in: the guard's `Via`. */
export interface Heard {
  readonly exchange: Exchange;
  /** The id that the server gave to the event, for whoever asks for what came after it. */
  readonly event?: string;
}
