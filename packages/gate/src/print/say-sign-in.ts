import { visible } from "@countersign/core";
import type { SignInReport } from "../commands/sign-in.ts";
import type { SignOutReport } from "../commands/sign-out.ts";
import type { SignInEvent } from "../sign-in/credential.ts";
import type { Consent } from "../sign-in/person.ts";
import type { BadAnswer, BadEndpoint, SignInFailure, UnsafeFile } from "../sign-in/sign-in-error.ts";

/** What a person is told before a browser opens. The URL stands alone in its line, to be copied. */
export function sayConsent({ server, resource, issuer, before, scope, url, opens }: Consent): string {
  return [
    `${server}: sign in, so that Countersign may use it for you`,
    `  server   ${shown(resource)}`,
    `  issuer   ${shown(issuer)}${before === undefined ? "" : `, not ${shown(before)} as before`}`,
    ...(scope === undefined ? [] : [`  scope    ${shown(scope)}`]),
    opens
      ? "a browser opens at its page; where it does not, open this address in one on this machine:"
      : "open this address in a browser on this machine:",
    visible(url),
  ].join("\n");
}

export const couldNotBrowse = "no browser could be started; open the address above in one on this machine";

export function saySignedIn({ server, resource, issuer, scope, until, renewed, where }: SignInReport): string {
  const ends = until === undefined ? "" : `; its token ends ${until}${renewed ? ", and is renewed by itself" : ""}`;
  return [
    `${server}: signed in at ${shown(resource)} by ${shown(issuer)}`,
    `${scope === undefined ? "" : `with scope ${shown(scope)}; `}kept in ${where === "keychain" ? "the keychain" : "a file that only you can read"}${ends}`,
  ].join("\n");
}

export function saySignedOut({ server, signedOut }: SignOutReport): string {
  if (signedOut.length === 0) return `${server}: nobody was signed in`;
  return signedOut.map((one) => `${server}: signed out of ${shown(one.resource)}; ${sayRevocation(one)}`).join("\n");
}

function sayRevocation({ issuer, revocation }: SignOutReport["signedOut"][number]): string {
  switch (revocation.is) {
    case "revoked":
      return `its tokens were revoked at ${shown(issuer)}`;
    case "revoked-but-last":
      return `its tokens were revoked at ${shown(issuer)}, but for the last access token, which cannot be and ends ${revocation.until ?? "by itself"}`;
    case "no-endpoint":
      return `${shown(issuer)} revokes no tokens, so they end by themselves`;
    case "failed":
      return `its tokens were forgotten here and not revoked, because ${saySignInFailure(revocation.failure)}; revoke them at ${shown(issuer)}`;
  }
}

/** What the person can do about it: the end of a sentence. */
export function nextStepFor({ is }: SignInFailure): string {
  switch (is) {
    case "UNREACHABLE":
    case "TOO_SLOW":
      return "check the URL and the network, then try again";
    case "DENIED":
    case "NO_ANSWER":
    case "STOPPED":
      return "run it again when you want to sign in";
    case "BUSY":
      return "wait for the other process, or end it";
    case "UNSAFE_FILE":
    case "NOT_KEPT":
      return "mend that, then run it again";
    case "KEYCHAIN":
      return "unlock the keychain, or run countersign sign-out and sign in again";
    case "NO_PORT":
      return "free that port, or name another one in the config as signIn.port";
    case "NO_CLIENT":
    case "REGISTRATION_REFUSED":
      return "see docs/sign-in.md";
    case "WRONG_AUDIENCE":
      return "if that is how the issuer calls this server, name it in the config as signIn.audience";
    case "REDIRECTED":
    case "PLAIN_HTTP":
    case "NOT_A_WEB_ADDRESS":
    case "PRIVATE_ADDRESS":
    case "TOO_LARGE":
    case "BAD_ANSWER":
    case "NO_AUTHORIZATION_SERVER":
    case "OTHER_RESOURCE":
    case "OTHER_ISSUER":
    case "ISSUER_CHANGED":
    case "NO_PKCE":
    case "BAD_AUTHORIZATION_ENDPOINT":
    case "MIXED_UP":
    case "TOKEN_REFUSED":
    case "BAD_TOKEN":
      return "check the URL, or ask whoever runs the server";
  }
}

/** One line for the log of a connection, without the name of the server. */
export function saySignInEvent(server: string, event: SignInEvent): string {
  const next = `run "countersign sign-in ${server}"`;
  switch (event.is) {
    case "signed-in":
      return `signed in by ${shown(event.issuer)}`;
    case "refreshed":
      return "its token was refreshed";
    case "needs-sign-in":
      return event.failure === undefined
        ? `needs sign-in: ${next}`
        : `needs sign-in: ${saySignInFailure(event.failure)}; ${next}`;
    case "refused-at-once":
      return `needs sign-in: the server refused a token that had just been issued for it, so its issuer and the server do not agree; ask whoever runs the server, then ${next}`;
    case "needs-scope":
      return `needs sign-in: the server wants more scope than the token has (${shown(event.scope)}); ${next}`;
    case "not-had":
      return `needs sign-in: ${saySignInFailure(event.failure)}; mend that, or ${next}`;
  }
}

/** Why nobody is signed in: a part of a sentence. */
export function saySignInFailure(failure: SignInFailure): string {
  switch (failure.is) {
    case "UNREACHABLE":
      return `${shown(failure.at)} could not be reached (${shown(failure.because)})`;
    case "REDIRECTED":
      return `${shown(failure.at)} redirects to another origin, ${shown(failure.to)}, which is not followed`;
    case "PLAIN_HTTP":
      return `${shown(failure.at)} is plain http, which is for this machine only`;
    case "NOT_A_WEB_ADDRESS":
      return `the server named "${shown(failure.at)}", which is no plain https address`;
    case "PRIVATE_ADDRESS":
      return `${shown(failure.at)} is an address of a network or machine into which this server may not send anybody`;
    case "TOO_LARGE":
      return `the answer of ${shown(failure.at)} is longer than 1 MiB`;
    case "TOO_SLOW":
      return `${shown(failure.at)} took too long to answer`;
    case "BAD_ANSWER":
      return `the answer of ${shown(failure.at)} cannot be used: ${badAnswer(failure.detail)}`;
    case "NO_AUTHORIZATION_SERVER":
      return `${shown(failure.at)} says of no authorization server how to sign in there`;
    case "OTHER_RESOURCE":
      return `the metadata of ${shown(failure.at)} speak of another resource, "${shown(failure.detail)}"`;
    case "OTHER_ISSUER":
      return `the metadata of ${shown(failure.issuer)} speak of another issuer, "${shown(failure.detail)}"`;
    case "ISSUER_CHANGED":
      return `the server names another issuer than before: ${shown(failure.issuer)}, not ${shown(failure.was)}`;
    case "NO_PKCE":
      return `${shown(failure.issuer)} does not say that it holds to PKCE with S256, without which a code can be stolen`;
    case "NO_CLIENT":
      return `${shown(failure.issuer)} lets no client register itself; register one there, and name it in the config as signIn.clientId`;
    case "REGISTRATION_REFUSED":
      return `${shown(failure.issuer)} did not register a client (HTTP ${failure.status}); register one there, and name it in the config as signIn.clientId`;
    case "BAD_AUTHORIZATION_ENDPOINT":
      return `the server's authorization_endpoint is not opened, because ${badEndpoint(failure.because)}: "${shown(failure.at)}"`;
    case "MIXED_UP":
      return `the answer in the browser was not of ${shown(failure.issuer)}`;
    case "DENIED":
      return `${shown(failure.issuer)} gave no consent (${failure.error})`;
    case "NO_ANSWER":
      return `nobody signed in within ${failure.minutes} minutes`;
    case "STOPPED":
      return "it was stopped before anybody had signed in";
    case "TOKEN_REFUSED":
      return `${shown(failure.issuer)} refused (${failure.error})`;
    case "BAD_TOKEN":
      return failure.because === "TYPE"
        ? `the token of ${shown(failure.issuer)} is no bearer token`
        : `the token of ${shown(failure.issuer)} cannot stand in a header`;
    case "WRONG_AUDIENCE":
      return `${shown(failure.issuer)} issued a token for somebody else, "${shown(failure.detail)}"; it was not kept`;
    case "UNSAFE_FILE":
      return `"${shown(failure.path)}" ${unsafeFile(failure.because)}`;
    case "NOT_KEPT":
      return `"${shown(failure.path)}" cannot be read or written (${shown(failure.because)})`;
    case "KEYCHAIN":
      return `the keychain gave nothing (${shown(failure.because)})`;
    case "NO_PORT":
      return `no answer can be heard at port ${failure.port} of this machine (${shown(failure.because)})`;
    case "BUSY":
      return "another process has been at it for too long";
  }
}

function badAnswer(detail: BadAnswer): string {
  switch (detail) {
    case "COMPRESSED":
      return "it is compressed, which nobody asked for";
    case "STATUS":
      return "its status is none of HTTP";
    case "SHAPE":
      return "it is not what its specification says";
  }
}

function badEndpoint(because: BadEndpoint): string {
  switch (because) {
    case "NOT_A_URL":
      return "it is no URL";
    case "NOT_HTTPS":
      return "it is not https";
    case "USER":
      return "it holds a user's name or a password";
    case "FRAGMENT":
      return "it holds a fragment";
    case "TOO_LONG":
      return "it is too long";
    case "CHARACTERS":
      return "it holds characters that no such URL needs";
    case "PRIVATE_ADDRESS":
      return "it is an address of a network or machine into which this server may not send anybody";
  }
}

function unsafeFile(because: UnsafeFile): string {
  switch (because) {
    case "NOT_A_FILE":
      return "is no file of its own";
    case "NOT_YOURS":
      return "belongs to another account, so it is not read";
    case "OTHERS_CAN_READ":
      return "is open to other accounts, so it is not used; see who has read it, then take it away";
    case "NO_RECORD":
      return "holds no sign-in; take it away";
  }
}

function shown(text: string): string {
  return visible(text.length > longest ? `${text.slice(0, longest)}…` : text);
}

/** Code units. */
const longest = 300;
