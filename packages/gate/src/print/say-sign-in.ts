import { visible } from "@countersign/core";
import type { SignInEvent } from "../sign-in/credential.ts";
import { resourceOf, type SignInPlace } from "../sign-in/kept-sign-in.ts";
import type { Consent } from "../sign-in/person.ts";
import { saySignInFailure } from "./say-sign-in-failure.ts";
import { shownShort } from "./shown-short.ts";

/** What a person is told before a browser opens. The URL stands alone in its line, to be copied. */
export function sayConsent({ server, resource, issuer, before, scope, url, opens }: Consent): string {
  return [
    `${server}: sign in, so that Countersign may use it for you`,
    `  server   ${shownShort(resource)}`,
    `  issuer   ${shownShort(issuer)}${before === undefined ? "" : `, not ${shownShort(before)} as before`}`,
    ...(scope === undefined ? [] : [`  scope    ${shownShort(scope)}`]),
    opens
      ? "a browser opens at its page; where it does not, open this address in one on this machine:"
      : "open this address in a browser on this machine:",
    visible(url),
  ].join("\n");
}

export const couldNotBrowse = "no browser could be started; open the address above in one on this machine";

/** One line for the log of a connection, without the name of the server. */
export function saySignInEvent({ server, url }: SignInPlace, event: SignInEvent): string {
  const next = `run "countersign sign-in ${server} --url ${url.search === "" ? shownShort(resourceOf({ url })) : "<its URL>"}"`;
  switch (event.is) {
    case "signed-in":
      return `signed in by ${shownShort(event.issuer)}`;
    case "refreshed":
      return "its token was refreshed";
    case "needs-sign-in":
      return event.failure === undefined
        ? `needs sign-in: ${next}`
        : `needs sign-in: ${saySignInFailure(event.failure)}; ${next}`;
    case "refused-at-once":
      return `needs sign-in: the server refused a token that had just been issued for it, so its issuer and the server do not agree; ask whoever runs the server, then ${next}`;
    case "needs-scope":
      return `needs sign-in: the server wants more scope than the token has (${shownShort(event.scope)}); ${next}`;
    case "not-had":
      return `needs sign-in: ${saySignInFailure(event.failure)}; mend that, or ${next}`;
  }
}
