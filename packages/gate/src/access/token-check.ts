import { createHash } from "node:crypto";
import { asServerName, type ServerName } from "@countersign/core";
import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from "jose";
import type { JwtSettings } from "./jwt-settings.ts";
import { KeySetError, keySetAt } from "./key-set.ts";
import type { Refusal, TokenFault } from "./refusal.ts";

export type TokenReading =
  | {
      readonly is: "token";
      /** Of whom the issuer says that the token is. */
      readonly subject: string;
      /** The only servers that it is for; undefined where it is for all. */
      readonly servers: ReadonlySet<ServerName> | undefined;
      /** Milliseconds since 1970. */
      readonly until: number;
    }
  | { readonly is: "refused"; readonly because: Refusal };

/** @param keys by which signatures are checked; those at `jwks` unless others are given */
export function tokenCheckOf(
  settings: JwtSettings,
  { keys = keySetAt(settings.jwks), trouble }: TokenCheckOptions,
): (token: string, server: ServerName | undefined) => Promise<TokenReading> {
  const { issuer, algorithms, clockTolerance } = settings;
  const checked = new Map<string, Checked>();
  return async (token, server) => {
    const key = `${server ?? ""} ${createHash("sha256").update(token).digest("base64")}`;
    const known = checked.get(key);
    if (known !== undefined && performance.now() - known.at < checkAgain && Date.now() < known.reading.until) {
      return known.reading;
    }
    const audience = audiencesFor(settings.audience, server);
    if (audience.length === 0) return refused({ code: "TOKEN_AUDIENCE" });
    try {
      const requiredClaims = ["exp", "sub"];
      const options = { issuer, audience, algorithms: [...algorithms], clockTolerance, requiredClaims };
      const { payload } = await jwtVerify(token, keys, options);
      const reading = read(payload, settings);
      checked.delete(key);
      if (reading.is === "token") checked.set(key, { reading, at: performance.now() });
      if (checked.size > mostChecked) checked.delete(oldestOf(checked));
      return reading;
    } catch (error) {
      if (error instanceof KeySetError) {
        trouble(error.message);
        return refused({ code: error.code });
      }
      const fault = faultOf(error);
      if (fault === undefined) throw error;
      return refused({ code: fault });
    }
  };
}

interface TokenCheckOptions {
  readonly keys?: JWTVerifyGetKey;
  /** The keys cannot be had. */
  readonly trouble: (error: string) => void;
}

/** A host sends the same token with every request, and a signature costs more than all else that is looked at. */
interface Checked {
  readonly reading: Extract<TokenReading, { readonly is: "token" }>;
  readonly at: number;
}

/** Milliseconds for which a token that counted is not checked again, unless it expires. */
const checkAgain = 60_000;
const mostChecked = 1_000;

function oldestOf(checked: ReadonlyMap<string, Checked>): string {
  const [oldest = ""] = checked.keys();
  return oldest;
}

/** A token that names one server as its audience opens no other one. */
function audiencesFor(audiences: readonly string[], server: ServerName | undefined): string[] {
  if (server === undefined) return audiences.filter((audience) => !audience.includes(placeholder));
  return audiences.map((audience) => audience.replaceAll(placeholder, server));
}

const placeholder = "<server>";

function read(payload: JWTPayload, { scopes, servers: claim, clockTolerance }: JwtSettings): TokenReading {
  const { sub, exp } = payload;
  // It becomes a name, in logs and in the ledger.
  if (typeof sub !== "string" || !/^[^\p{Cc}\p{Cs}]{1,255}$/u.test(sub) || exp === undefined) {
    return refused({ code: "TOKEN_CLAIMS" });
  }
  const has = new Set(wordsIn(payload, "scope") ?? wordsIn(payload, "scp") ?? []);
  if (!scopes.every((scope) => has.has(scope))) return refused({ code: "SCOPE_MISSING", scopes });
  const names = claim === undefined ? undefined : (wordsIn(payload, claim) ?? []);
  return {
    is: "token",
    subject: sub,
    servers: names === undefined ? undefined : new Set(names.flatMap((name) => asServerName(name) ?? [])),
    until: (exp + clockTolerance) * 1_000,
  };
}

/** A claim of several words: a list, or one text with spaces. */
function wordsIn(payload: JWTPayload, claim: string): readonly string[] | undefined {
  const value: unknown = Object.hasOwn(payload, claim) ? payload[claim] : undefined;
  if (typeof value === "string") return value.split(" ");
  if (!Array.isArray(value)) return undefined;
  return value.filter((one): one is string => typeof one === "string");
}

function refused(because: Refusal): TokenReading {
  return { is: "refused", because };
}

/** Undefined for what is no fault of the token. */
function faultOf(error: unknown): TokenFault | undefined {
  if (error instanceof errors.JWTExpired) return "TOKEN_EXPIRED";
  if (error instanceof errors.JWTClaimValidationFailed) return claims.get(error.claim) ?? "TOKEN_CLAIMS";
  if (error instanceof errors.JOSEAlgNotAllowed || error instanceof errors.JOSENotSupported) return "TOKEN_ALGORITHM";
  if (error instanceof errors.JWSSignatureVerificationFailed) return "TOKEN_SIGNATURE";
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) {
    return "TOKEN_KEY_UNKNOWN";
  }
  return error instanceof errors.JWSInvalid || error instanceof errors.JWTInvalid ? "TOKEN_MALFORMED" : undefined;
}

const claims: ReadonlyMap<string, TokenFault> = new Map([
  ["iss", "TOKEN_ISSUER"],
  ["aud", "TOKEN_AUDIENCE"],
  ["nbf", "TOKEN_NOT_YET"],
]);
