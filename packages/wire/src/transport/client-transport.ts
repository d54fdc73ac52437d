/**
 * As much of a client's transport as a guard drives. Structural, so that it is one of either MCP SDK, of the AI SDK, or
 * somebody's own: what they call a message is for them to say.
 */
export interface ClientTransport {
  start(): Promise<void>;
  send(message: never, options?: never): Promise<void>;
  close(): Promise<void>;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: never, extra?: never) => void) | undefined;
  readonly sessionId?: string | undefined;
  readonly hasPerRequestStream?: boolean | undefined;
  readonly setProtocolVersion?: ((version: string) => void) | undefined;
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
  onclose: () => void;
  onerror: (error: Error) => void;
  onmessage: (message: unknown, extra?: unknown) => void;
  readonly sessionId?: string | undefined;
  readonly hasPerRequestStream: boolean;
  setProtocolVersion(version: string): void;
  setSupportedProtocolVersions(versions: string[]): void;
}
