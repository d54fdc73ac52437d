import type { BadAnswer, BadEndpoint, SignInFailure, UnsafeFile } from "../sign-in/sign-in-error.ts";
import { shownShort } from "./shown-short.ts";

/** Why nobody is signed in: a part of a sentence. */
export function saySignInFailure(failure: SignInFailure): string {
  switch (failure.is) {
    case "UNREACHABLE":
      return `${shownShort(failure.at)} could not be reached (${shownShort(failure.because)})`;
    case "REDIRECTED":
      return `${shownShort(failure.at)} redirects to another origin, ${shownShort(failure.to)}, which is not followed`;
    case "PLAIN_HTTP":
      return `${shownShort(failure.at)} is plain http, which is for this machine only`;
    case "NOT_A_WEB_ADDRESS":
      return `the server named "${shownShort(failure.at)}", which is no plain https address`;
    case "PRIVATE_ADDRESS":
      return `${shownShort(failure.at)} is an address of a network or machine into which this server may not send anybody`;
    case "TOO_LARGE":
      return `the answer of ${shownShort(failure.at)} is longer than 1 MiB`;
    case "TOO_SLOW":
      return `${shownShort(failure.at)} took too long to answer`;
    case "BAD_ANSWER":
      return `the answer of ${shownShort(failure.at)} cannot be used: ${badAnswer(failure.detail)}`;
    case "NO_AUTHORIZATION_SERVER":
      return `${shownShort(failure.at)} says of no authorization server how to sign in there`;
    case "OTHER_RESOURCE":
      return `the metadata of ${shownShort(failure.at)} speak of another resource, "${shownShort(failure.detail)}"`;
    case "OTHER_ISSUER":
      return `the metadata of ${shownShort(failure.issuer)} speak of another issuer, "${shownShort(failure.detail)}"`;
    case "ISSUER_CHANGED":
      return `the server names another issuer than before: ${shownShort(failure.issuer)}, not ${shownShort(failure.was)}`;
    case "NO_PKCE":
      return `${shownShort(failure.issuer)} does not say that it holds to PKCE with S256, without which a code can be stolen`;
    case "NO_CLIENT":
      return `${shownShort(failure.issuer)} lets no client register itself; register one there, and name it in the config as signIn.clientId`;
    case "REGISTRATION_REFUSED":
      return `${shownShort(failure.issuer)} did not register a client (HTTP ${failure.status}); register one there, and name it in the config as signIn.clientId`;
    case "BAD_AUTHORIZATION_ENDPOINT":
      return `the server's authorization_endpoint is not opened, because ${badEndpoint(failure.because)}: "${shownShort(failure.at)}"`;
    case "MIXED_UP":
      return `the answer in the browser was not of ${shownShort(failure.issuer)}`;
    case "DENIED":
      return `${shownShort(failure.issuer)} gave no consent (${failure.error})`;
    case "NO_ANSWER":
      return `nobody signed in within ${failure.minutes} minutes`;
    case "STOPPED":
      return "it was stopped before anybody had signed in";
    case "TOKEN_REFUSED":
      return `${shownShort(failure.issuer)} refused (${failure.error})`;
    case "BAD_TOKEN":
      return failure.because === "TYPE"
        ? `the token of ${shownShort(failure.issuer)} is no bearer token`
        : `the token of ${shownShort(failure.issuer)} cannot stand in a header`;
    case "WRONG_AUDIENCE":
      return `${shownShort(failure.issuer)} issued a token for somebody else, "${shownShort(failure.detail)}"; it was not kept`;
    case "UNSAFE_FILE":
      return `"${shownShort(failure.path)}" ${unsafeFile(failure.because)}`;
    case "NOT_KEPT":
      return `"${shownShort(failure.path)}" cannot be read or written (${shownShort(failure.because)})`;
    case "KEYCHAIN":
      return `the keychain gave nothing (${shownShort(failure.because)})`;
    case "NO_PORT":
      return `no answer can be heard at port ${failure.port} of this machine (${shownShort(failure.because)})`;
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
