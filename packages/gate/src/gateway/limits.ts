/** What one gateway takes on at most. Times are in seconds. */
export interface GatewayLimits {
  /** Of all headers of a request together, and how many there may be. */
  readonly headerBytes: number;
  readonly headers: number;
  /** Of a request's body. */
  readonly bodyBytes: number;
  /** Until all headers have come, and until all of a request has. */
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  /** How long a connection may wait for the next request. */
  readonly idleTimeout: number;
  /** Open at once, from everybody together. */
  readonly connections: number;
  /** Of one principal: requests that are being answered at once, and streams that stay open are among them. */
  readonly streams: number;
  /** Of one principal, of the era that has sessions. */
  readonly sessions: number;
  /** How many refused requests of one address are answered in a minute before it is told to wait. */
  readonly refusals: number;
  /** On SIGTERM: how long it goes on while `/readyz` says that it will end, and how long requests may take afterwards. */
  readonly drainNotice: number;
  readonly drainGrace: number;
}

export const defaultLimits: GatewayLimits = {
  headerBytes: 16 * 1024,
  headers: 100,
  bodyBytes: 4 * 1024 * 1024,
  headersTimeout: 15,
  requestTimeout: 60,
  idleTimeout: 65,
  connections: 4_096,
  streams: 256,
  sessions: 128,
  refusals: 30,
  drainNotice: 0,
  drainGrace: 20,
};
