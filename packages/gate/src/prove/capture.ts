import type { ServerName, Source } from "@countersign/core";

/** One complete list, or one handshake, as a server sent it. */
export interface Capture {
  readonly server: ServerName;
  readonly source: Source;
  /** The JSON texts of the result objects, page by page. */
  readonly pages: readonly string[];
}
