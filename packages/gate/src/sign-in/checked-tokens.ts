import { checkResourceAllowed, type OAuthTokens } from "@modelcontextprotocol/client";
import { decodeJwt } from "jose";
import { SignInError } from "./sign-in-error.ts";
import type { SignInSettings } from "./sign-in-settings.ts";

/** What is kept of an answer of the token endpoint. */
export interface CheckedTokens {
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly scope?: string;
  readonly expires?: number;
}

export interface Expected {
  readonly issuer: string;
  /** The URL of the server. */
  readonly url: URL;
  readonly settings: SignInSettings;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Holds an answer against what was asked for. A token that can be seen to be for somebody else is not taken. */
export function checkedTokens(tokens: OAuthTokens, expected: Expected): CheckedTokens {
  const { issuer, now } = expected;
  const {
    access_token: accessToken,
    refresh_token: refreshToken,
    token_type: type,
    expires_in: seconds,
    scope,
  } = tokens;
  if (type.toLowerCase() !== "bearer") throw new SignInError({ is: "BAD_TOKEN", issuer, because: "TYPE" });
  for (const token of [accessToken, refreshToken ?? accessToken])
    if (!sendable.test(token)) throw new SignInError({ is: "BAD_TOKEN", issuer, because: "CHARACTERS" });
  checkAudience(accessToken, expected);
  return {
    accessToken,
    ...(refreshToken === undefined ? {} : { refreshToken }),
    ...(scope === undefined || !isScope(scope) ? {} : { scope }),
    ...(seconds === undefined ? {} : { expires: now + seconds * 1_000 }),
  };
}

/** RFC 6749 §3.3. It is shown to a person, and sent back to the issuer. */
export function isScope(scope: string): boolean {
  return scope.length <= 2_000 && /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(scope);
}

/** It stands in a header. */
const sendable = /^[\x21-\x7e]{1,65536}$/;

/**
 * A token is the issuer's business, and mostly opaque. But where it is a JWT (RFC 9068) whose audience is nothing but URLs
 * of others, the server that asked for it could use it there: an issuer that knows no resource indicators gives such ones.
 */
function checkAudience(token: string, { issuer, url, settings }: Expected): void {
  const audience = audienceOf(token);
  if (audience === undefined || audience.length === 0) return;
  if (settings.audience !== undefined && audience.includes(settings.audience)) return;
  const elsewhere = audience.every(
    (one) =>
      /^https?:/i.test(one) &&
      !(URL.canParse(one) && checkResourceAllowed({ requestedResource: url, configuredResource: one })),
  );
  if (elsewhere) throw new SignInError({ is: "WRONG_AUDIENCE", issuer, detail: audience.join(" ") });
}

function audienceOf(token: string): readonly string[] | undefined {
  if (!/^[\w-]+\.[\w-]+\.[\w-]*$/.test(token)) return undefined;
  try {
    const { aud } = decodeJwt(token);
    return aud === undefined ? undefined : [aud].flat().filter((one) => typeof one === "string");
  } catch {
    // Three words with dots between them, but no JWT: opaque, like most tokens.
    return undefined;
  }
}
