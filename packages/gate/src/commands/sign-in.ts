import { asServerName, type ServerName, visible } from "@countersign/core";
import { type ExitCode, exitCodes, GateError } from "../gate-error.ts";
import { nextStepFor, saySignInFailure } from "../print/say-sign-in-failure.ts";
import { askPerson } from "../sign-in/ask-person.ts";
import { exclusively } from "../sign-in/exclusively.ts";
import { nameOf, resourceOf, type SignInPlace } from "../sign-in/kept-sign-in.ts";
import { ownConfigOf, signInSettingsIn } from "../sign-in/own-config.ts";
import type { Person } from "../sign-in/person.ts";
import { pinnedUrl, placeAt } from "../sign-in/place-of.ts";
import { SignInError } from "../sign-in/sign-in-error.ts";
import { openSignInStore, type Where } from "../sign-in/sign-in-store.ts";
import { type Places, withLedger } from "./open.ts";

export interface SignInOptions extends Places {
  readonly server: string;
  readonly url?: string;
  readonly person: Person;
  readonly signal?: AbortSignal;
}

export interface SignInReport {
  readonly server: ServerName;
  /** Without the query of the URL. */
  readonly resource: string;
  /** Server-written, and so is the scope. */
  readonly issuer: string;
  readonly scope?: string;
  /** ISO 8601. Absent where the issuer does not say. */
  readonly until?: string;
  /** Whether it is renewed without anybody. */
  readonly renewed: boolean;
  readonly where: Where;
  readonly exitCode: ExitCode;
}

/** Has a person sign in to a server at a URL, anew if they had before. */
export async function signIn(options: SignInOptions): Promise<SignInReport> {
  const server = serverNamed(options.server, "sign in to");
  const own = await ownConfigOf(server, options.config);
  const place = await placeFor(server, options, own.url);
  const { person, signal } = options;
  const stop = signal === undefined ? {} : { signal };
  const settings = signInSettingsIn(server, own);
  const store = openSignInStore();
  try {
    return await exclusively({ name: nameOf(place), patience: 0, ...stop }, async () => {
      const known = await store.read(place);
      const kept = await askPerson({ place, settings, person, known, anyIssuer: true, now: Date.now, ...stop });
      const where = await store.write(place, kept);
      const { issuer, scope, expires, refreshToken } = kept;
      return {
        ...{ server, resource: resourceOf(place), issuer },
        ...(scope === undefined ? {} : { scope }),
        ...(expires === undefined ? {} : { until: new Date(expires).toISOString() }),
        ...{ renewed: refreshToken !== undefined, where, exitCode: exitCodes.clean },
      };
    });
  } catch (error) {
    throw error instanceof SignInError ? gateErrorOf(server, error) : error;
  }
}

export function serverNamed(name: string, doing: string): ServerName {
  const server = asServerName(name);
  if (server !== undefined) return server;
  throw new GateError(
    "USAGE",
    `Cannot ${doing} a server called "${visible(name)}": use letters, digits, ".", "_" and "-", at most 64, beginning with a letter or digit`,
  );
}

async function placeFor(
  server: ServerName,
  { url, ...places }: SignInOptions,
  configured: string | undefined,
): Promise<SignInPlace> {
  const at = url ?? configured ?? (await withLedger(places, (ledger) => pinnedUrl(ledger, server)));
  if (at !== undefined) return placeAt(server, at);
  throw new GateError(
    "NO_SERVER",
    `Cannot sign in to ${server}: neither the config nor the ledger knows a URL of it; give one, as in: countersign sign-in ${server} --url https://mcp.example.com/mcp`,
  );
}

function gateErrorOf(server: ServerName, error: SignInError): GateError {
  const { failure } = error;
  const message = `Cannot sign in to ${server}: ${saySignInFailure(failure)}; ${nextStepFor(failure)}`;
  return new GateError(codeOf(failure.is), message, { cause: error });
}

function codeOf(is: SignInError["failure"]["is"]): GateError["code"] {
  switch (is) {
    case "DENIED":
    case "NO_ANSWER":
    case "STOPPED":
      return "DECLINED";
    case "UNREACHABLE":
    case "TOO_SLOW":
    case "BUSY":
      return "INCOMPLETE";
    case "UNSAFE_FILE":
    case "NOT_KEPT":
    case "KEYCHAIN":
    case "NO_PORT":
    case "NO_CLIENT":
    case "REGISTRATION_REFUSED":
      return "CONFIG";
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
    case "WRONG_AUDIENCE":
      return "FINDINGS";
  }
}
