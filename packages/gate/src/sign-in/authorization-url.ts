import { isLoopback } from "../access/loopback.ts";
import { addressRange } from "./address-range.ts";
import { type BadEndpoint, SignInError } from "./sign-in-error.ts";

/**
 * The URL to open in a browser, by the authorization endpoint that a server named; what is thrown says why not. Whatever it
 * wrote, what goes to a program of this machine is the serialisation of a parsed URL, of few characters, that begins with
 * `https://`, or with `http://` where all of it is on this machine.
 */
export function checkedAuthorizationEndpoint(endpoint: string, issuer: string): URL {
  const bad = (because: BadEndpoint) => new SignInError({ is: "BAD_AUTHORIZATION_ENDPOINT", at: endpoint, because });
  if (endpoint.length > longestEndpoint) throw bad("TOO_LONG");
  const url = URL.parse(endpoint);
  if (url === null) throw bad("NOT_A_URL");
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLocal(url) && isLocal(new URL(issuer))))
    throw bad("NOT_HTTPS");
  if (url.username !== "" || url.password !== "") throw bad("USER");
  if (url.hash !== "" || endpoint.includes("#")) throw bad("FRAGMENT");
  const literal = addressRange(url.hostname.replace(/^\[|\]$/g, ""));
  if (!isLocal(new URL(issuer)) && (isLocal(url) || literal === "private" || literal === "loopback"))
    throw bad("PRIVATE_ADDRESS");
  if (!plainPath.test(url.pathname)) throw bad("CHARACTERS");
  return url;
}

/** What is handed to the program that opens a browser, as one argument. */
export function browserArgument(url: URL): string {
  const text = url.href;
  const bad = (because: BadEndpoint) => new SignInError({ is: "BAD_AUTHORIZATION_ENDPOINT", at: text, because });
  if (text.length > longestUrl) throw bad("TOO_LONG");
  // What the endpoint brought in its query is spelled anew by URLSearchParams, so none of this can fail but by a fault.
  if (!/^https?:\/\//.test(text) || !plainUrl.test(text)) throw bad("CHARACTERS");
  return text;
}

function isLocal({ hostname }: URL): boolean {
  return isLoopback(hostname);
}

/** Some programs that open a browser are shell scripts, and some of those are careless. */
const plainPath = /^[A-Za-z0-9._~%/@:+,=!-]*$/;
const plainUrl = /^[A-Za-z0-9._~%/@:+,=!*?&[\]-]+$/;

const longestEndpoint = 2_000;
const longestUrl = 8_000;
