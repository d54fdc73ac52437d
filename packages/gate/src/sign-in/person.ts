import type { ServerName } from "@countersign/core";

/** What a person is told before a browser opens. All but `server` and `resource` is what servers wrote. */
export interface Consent {
  readonly server: ServerName;
  /** The operator's own URL, without its query. */
  readonly resource: string;
  readonly issuer: string;
  /** Who had signed them in before, where that was another. */
  readonly before?: string;
  readonly scope?: string;
  /** What is opened, or to be opened. */
  readonly url: string;
  readonly opens: boolean;
}

/** Whoever is at this machine, and may be asked to sign in. */
export interface Person {
  readonly tell: (consent: Consent) => void;
  /** Whether a browser was opened. Absent: the person opens it. */
  readonly browse?: (url: URL) => Promise<boolean>;
  readonly couldNotBrowse: () => void;
}
