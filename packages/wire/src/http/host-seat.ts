import type { HostSession } from "./host-session.ts";
import type { HostStream } from "./host-stream.ts";

/** Whose requests these are: one session's (2025 era), or one request's alone. The guard's `Seat`. */
export class HostSeat {
  /** What the answer to a request goes out on, by the key of the host's id. */
  readonly streams = new Map<string, HostStream>();
  readonly session: HostSession | undefined;

  constructor(session?: HostSession) {
    this.session = session;
  }
}
