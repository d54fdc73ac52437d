import type { IncomingMessage } from "node:http";
import type { ServerName } from "@countersign/core";
import type { KeyId } from "@countersign/ledger";
import type { Principal } from "./principal.ts";
import type { Refusal } from "./refusal.ts";

export interface Admitted {
  readonly is: "admitted";
  readonly principal: Principal;
  readonly by: Credential;
  /** Milliseconds since 1970 from which on the credential counts no longer. */
  readonly until?: number;
}

export type Credential =
  | { readonly is: "key"; readonly key: KeyId }
  /** `token` is what came, for a server that the operator has marked for it. */
  | { readonly is: "jwt"; readonly token: string }
  | { readonly is: "nothing" };

export interface Refused {
  readonly is: "refused";
  readonly because: Refusal;
}

export interface Access {
  /**
   * Whether whoever sent the request may use the server. It reads nothing but headers.
   *
   * @param server undefined for what is about all servers
   */
  readonly admit: (request: IncomingMessage, server: ServerName | undefined) => Promise<Admitted | Refused>;
  /** Of all that was admitted, what would be still: one look at what was decided meanwhile. */
  readonly holding: () => Promise<(admitted: Admitted) => boolean>;
  /** Where tokens come from, where any are taken. */
  readonly issuer: { readonly url: string; readonly scopes: readonly string[] } | undefined;
  /** Whether a request without any credential is let in. */
  readonly anonymous: boolean;
}
