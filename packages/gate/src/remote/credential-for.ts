import { type ServerName, visible } from "@countersign/core";
import type { RemoteOptions } from "@countersign/wire/http";
import type { Remote } from "../gateway/usable-reach.ts";
import { saySignInEvent } from "../print/say-sign-in.ts";
import { Credential as Token } from "../sign-in/credential.ts";
import { ownConfigOf, signInSettingsIn } from "../sign-in/own-config.ts";
import type { Person } from "../sign-in/person.ts";
import { openSignInStore } from "../sign-in/sign-in-store.ts";

/** What gives the requests to a server their headers, and is asked for others where the server does not take them. */
export interface Credential extends Pick<RemoteOptions, "headers" | "unauthorized"> {
  /** Nobody waits for a person any more. */
  close(): void;
}

export interface CredentialFor {
  readonly server: ServerName;
  readonly remote: Remote;
  readonly config?: string;
  /** Absent where there is nobody to ask, as in a gateway. */
  readonly person?: Person;
  /** A sentence about this server. */
  readonly say: (text: string) => void;
}

/** The operator's own headers; and where they hold no credential, the token that somebody signed in for. */
export async function credentialFor({ server, remote, config, person, say }: CredentialFor): Promise<Credential> {
  const { url, headers } = remote;
  if (headers.has("authorization"))
    return { headers: async () => headers, unauthorized: async () => false, close: () => undefined };
  const closing = new AbortController();
  const token = new Token({
    place: { server, url },
    settings: signInSettingsIn(server, await ownConfigOf(server, config)),
    store: openSignInStore(),
    ...(person === undefined ? {} : { person }),
    report: (event) => say(saySignInEvent({ server, url }, event)),
    signal: closing.signal,
  });
  return {
    headers: async () => new Map([...headers, ...(await token.headers())]),
    unauthorized: async (challenge) => {
      try {
        return await token.unauthorized(challenge);
      } catch (error) {
        say(`cannot sign in, because of a fault of ours: ${visible(String(error))}`);
        return false;
      }
    },
    close: () => closing.abort(),
  };
}
