/**
 * As much of a client's transport as a guard drives. Structural, so that it is one of either MCP SDK, of the AI SDK, or
 * somebody's own: what they call a message is for them to say.
 */
export interface ClientTransport {
  /** Connects, and begins to read. */
  start(): Promise<void>;
  /** Sends one JSON-RPC message. */
  send(message: never, options?: never): Promise<void>;
  /** Hangs up. */
  close(): Promise<void>;
  /** Told once, when the connection has ended, whoever ended it. */
  onclose?: (() => void) | undefined;
  /** Told of what went wrong beside any answer. */
  onerror?: ((error: Error) => void) | undefined;
  /** Told of every message that came. */
  onmessage?: ((message: never, extra?: never) => void) | undefined;
  /** What the server calls this session, where it has one. */
  readonly sessionId?: string | undefined;
  /** Whether each request has a stream of its own, by whose end it is taken back. */
  readonly hasPerRequestStream?: boolean | undefined;
  /** Told of the revision that was agreed on. */
  readonly setProtocolVersion?: ((version: string) => void) | undefined;
  /** Told of the revisions that the client speaks. */
  readonly setSupportedProtocolVersions?: ((versions: string[]) => void) | undefined;
}

/**
 * A transport that a client of any MCP SDK can be connected to. The callbacks are the client's to set; until it does, they
 * do nothing.
 */
export interface GuardedTransport {
  /**
   * Reads the config and the ledger, pins how the server is reached, and only then starts the transport within.
   *
   * @throws GateError, LedgerError, or whatever the transport within throws; then nothing was, or nothing is left, started
   */
  start(): Promise<void>;
  /**
   * Has a message judged, and passed on where it may pass. Resolves when it was, or when it was refused: of a refused
   * request the client hears by an error in its answer.
   *
   * @throws what the transport within throws when it cannot send
   */
  send(message: unknown, options?: unknown): Promise<void>;
  /** Closes the transport within, and the ledger that was opened for it. */
  close(): Promise<void>;
  /** The client's: told once, when the connection has ended. */
  onclose: () => void;
  /** The client's: told of what went wrong beside any answer. */
  onerror: (error: Error) => void;
  /** The client's: told of every message that may pass, as it was judged. There never is a second argument. */
  onmessage: (message: unknown, extra?: unknown) => void;
  /** What the server calls this session, where it has one. */
  readonly sessionId?: string | undefined;
  /** Whether each request has a stream of its own, by whose end it is taken back. */
  readonly hasPerRequestStream: boolean;
  /** Hands on the revision that was agreed on. */
  setProtocolVersion(version: string): void;
  /** Hands on the revisions that the client speaks. */
  setSupportedProtocolVersions(versions: string[]): void;
}
