import { randomBytes } from "node:crypto";
import { setTimeout as after } from "node:timers/promises";
import {
  computeScopeUnion,
  exchangeAuthorization,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from "@modelcontextprotocol/client";
import { answeredBy, shownCode } from "./answered-by.ts";
import { browserArgument, checkedAuthorizationEndpoint } from "./authorization-url.ts";
import { carefulFetch, type Fetch } from "./careful-fetch.ts";
import { checkedTokens, isScope } from "./checked-tokens.ts";
import { clientFor, informationOf } from "./client-for.ts";
import { type Discovered, discover } from "./discover.ts";
import { type KeptSignIn, resourceOf, type SignInPlace } from "./kept-sign-in.ts";
import type { Person } from "./person.ts";
import { listenForRedirect, type RedirectAnswer, type RedirectListener } from "./redirect-listener.ts";
import { SignInError } from "./sign-in-error.ts";
import type { SignInSettings } from "./sign-in-settings.ts";

export interface Asked {
  readonly place: SignInPlace;
  readonly settings: SignInSettings;
  readonly person: Person;
  /** The sign-in before this one. */
  readonly known: KeptSignIn | undefined;
  /** Whether somebody else than before may sign them in: only where the person asked for it. */
  readonly anyIssuer: boolean;
  /** What the server said with its 401 or 403. */
  readonly challenge?: { readonly resourceMetadataUrl?: URL | undefined; readonly scope?: string | undefined };
  /** Scope that the token before it did not have. */
  readonly more?: string;
  readonly minutes?: number;
  readonly signal?: AbortSignal;
  readonly now: () => number;
}

/** Has a person sign in with a browser: the authorization code grant of OAuth 2.1, with PKCE, for one resource. */
export async function askPerson(asked: Asked): Promise<KeptSignIn> {
  const { place, settings, known, challenge = {}, signal } = asked;
  const { fetch, from } = carefulFetch({ resource: place.url, ...(signal === undefined ? {} : { signal }) });
  const found = await discover(place, fetch, { named: challenge.resourceMetadataUrl, known: known?.issuer });
  const { issuer } = found;
  if (known !== undefined && known.issuer !== issuer && !asked.anyIssuer)
    throw new SignInError({ is: "ISSUER_CHANGED", issuer, was: known.issuer });
  const state = randomBytes(32).toString("base64url");
  const listener = await listenForRedirect(state, settings.port ?? 0);
  try {
    const tokens = await signInWith(found, { ...asked, listener, state, fetch });
    const reachedAt = from();
    if (reachedAt === undefined || reachedAt === "never") throw new Error("an issuer was named by nobody");
    const { metadata, indicator, revocationEndpoint } = found;
    return {
      version: 1,
      ...{ server: place.server, resource: resourceOf(place), issuer, reachedAt, indicator },
      tokenEndpoint: metadata.token_endpoint,
      ...(revocationEndpoint === undefined ? {} : { revocationEndpoint }),
      authMethods: metadata.token_endpoint_auth_methods_supported ?? [],
      ...tokens,
    };
  } finally {
    listener.close();
  }
}

interface Underway extends Asked {
  readonly listener: RedirectListener;
  readonly state: string;
  readonly fetch: Fetch;
}

type Signed = Pick<KeptSignIn, "client" | "accessToken" | "refreshToken" | "scope" | "expires">;

async function signInWith(found: Discovered, underway: Underway): Promise<Signed> {
  const { issuer, metadata, indicator } = found;
  const { listener, state, fetch, settings, place, known, now } = underway;
  const { redirectUrl } = listener;
  const scope = scopeFor(found, underway);
  const client = await clientFor(found, settings, { redirectUrl, scope, fetch });
  const clientInformation = informationOf(client, settings);
  const { authorizationUrl, codeVerifier } = await answeredBy(issuer, issuer, () =>
    startAuthorization(issuer, {
      ...{ metadata, clientInformation, redirectUrl, state, resource: indicator },
      ...(scope === undefined ? {} : { scope }),
    }),
  );
  checkedAuthorizationEndpoint(metadata.authorization_endpoint, issuer);
  const { person } = underway;
  person.tell({
    ...{ server: place.server, resource: resourceOf(place), issuer },
    ...(known === undefined || known.issuer === issuer ? {} : { before: known.issuer }),
    ...(scope === undefined ? {} : { scope }),
    url: browserArgument(authorizationUrl),
    opens: person.browse !== undefined,
  });
  if (person.browse !== undefined && !(await person.browse(authorizationUrl))) person.couldNotBrowse();
  const answer = await answerWithin(underway);
  let signedIn = false;
  try {
    const { code, iss } = codeIn(answer, found);
    const tokens = await answeredBy(metadata.token_endpoint, issuer, () =>
      exchangeAuthorization(issuer, {
        ...{ metadata, clientInformation, authorizationCode: code, codeVerifier, resource: indicator },
        ...(iss === undefined ? {} : { iss }),
        redirectUri: redirectUrl,
        fetchFn: fetch,
      }),
    );
    const checked = checkedTokens(tokens, { issuer, url: place.url, settings, now: now() });
    signedIn = true;
    // RFC 6749 §5.1: it may leave the scope out where that is what was asked for.
    return { client, ...(scope === undefined ? {} : { scope }), ...checked };
  } finally {
    answer.show(signedIn);
  }
}

/** What the operator says, else what the server does; and what was had before, unless the person begins anew. */
function scopeFor({ scope: needed, metadata }: Discovered, asked: Underway): string | undefined {
  const { challenge, settings, known, anyIssuer, more } = asked;
  const wanted = settings.scope ?? challenge?.scope ?? needed;
  const all = computeScopeUnion(anyIssuer ? undefined : known?.scope, more, wanted);
  // OpenID Connect Core §11: without it there may be no refresh token.
  const offline = metadata.scopes_supported?.includes("offline_access") === true ? "offline_access" : undefined;
  const scope = all === undefined ? undefined : computeScopeUnion(all, offline);
  return scope !== undefined && isScope(scope) ? scope : settings.scope;
}

async function answerWithin({ listener, minutes = 5, signal }: Underway): Promise<RedirectAnswer> {
  const over = new AbortController();
  const end = AbortSignal.any([over.signal, ...(signal === undefined ? [] : [signal])]);
  const late = after(minutes * 60_000, undefined, { signal: end }).then(
    () => {
      throw new SignInError({ is: "NO_ANSWER", minutes });
    },
    () => {
      throw new SignInError({ is: "STOPPED" });
    },
  );
  try {
    return await Promise.race([listener.answer, late]);
  } finally {
    over.abort();
    late.catch(() => undefined);
  }
}

/** What came back is believed only once it is known whose it is: RFC 9207. */
function codeIn(
  { params }: RedirectAnswer,
  { issuer, metadata }: Discovered,
): { code: string; iss: string | undefined } {
  const iss = params.get("iss") ?? undefined;
  try {
    validateAuthorizationResponseIssuer({
      iss,
      expectedIssuer: metadata.issuer,
      issParameterSupported: metadata.authorization_response_iss_parameter_supported === true,
    });
  } catch (error) {
    throw new SignInError({ is: "MIXED_UP", issuer }, { cause: error });
  }
  const code = params.get("code");
  if (code === null || params.has("error"))
    throw new SignInError({ is: "DENIED", issuer, error: shownCode(params.get("error") ?? "") });
  return { code, iss };
}
