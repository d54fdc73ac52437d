import { type AuthorizationServerMetadata, refreshAuthorization } from "@modelcontextprotocol/client";
import { answeredBy } from "./answered-by.ts";
import { carefulFetch } from "./careful-fetch.ts";
import { checkedTokens } from "./checked-tokens.ts";
import { informationOf } from "./client-for.ts";
import type { KeptSignIn, SignInPlace } from "./kept-sign-in.ts";
import { SignInError } from "./sign-in-error.ts";
import type { SignInSettings } from "./sign-in-settings.ts";

export interface RefreshOptions {
  readonly place: SignInPlace;
  readonly settings: SignInSettings;
  readonly now: () => number;
  readonly signal?: AbortSignal;
}

/** A new token for the old refresh token, at the issuer's endpoint as it was when somebody signed in. */
export async function refresh(kept: KeptSignIn, options: RefreshOptions): Promise<KeptSignIn> {
  const { place, settings, now, signal } = options;
  const { issuer, client, refreshToken, tokenEndpoint, indicator } = kept;
  if (refreshToken === undefined || !isStillOurs(kept, settings))
    throw new SignInError({ is: "TOKEN_REFUSED", issuer, error: "invalid_grant" });
  const { fetch } = carefulFetch({
    ...{ resource: place.url, from: kept.reachedAt },
    ...(signal === undefined ? {} : { signal }),
  });
  const tokens = await answeredBy(tokenEndpoint, issuer, () =>
    refreshAuthorization(issuer, {
      metadata: metadataOf(kept),
      clientInformation: informationOf(client, settings),
      ...{ refreshToken, resource: indicator, fetchFn: fetch },
    }),
  );
  const { expires: _, ...rest } = kept;
  return { ...rest, ...checkedTokens(tokens, { issuer, url: place.url, settings, now: now() }) };
}

/** A refresh token is bound to the client that it was given to. */
function isStillOurs({ client }: KeptSignIn, { clientId }: SignInSettings): boolean {
  return client.from === "config" ? client.id === clientId : clientId === undefined;
}

/** As much of the issuer's metadata as the SDK reads for a request to the token endpoint. */
function metadataOf({ issuer, tokenEndpoint, authMethods }: KeptSignIn): AuthorizationServerMetadata {
  return {
    issuer,
    authorization_endpoint: issuer,
    token_endpoint: tokenEndpoint,
    token_endpoint_auth_methods_supported: authMethods,
    response_types_supported: ["code"],
  };
}
