import {
  type AuthorizationServerMetadata,
  checkResourceAllowed,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  type OAuthProtectedResourceMetadata,
} from "@modelcontextprotocol/client";
import { answeredBy } from "./answered-by.ts";
import { checkedAuthorizationEndpoint } from "./authorization-url.ts";
import type { Fetch } from "./careful-fetch.ts";
import { resourceOf, type SignInPlace } from "./kept-sign-in.ts";
import { SignInError } from "./sign-in-error.ts";

/** Who gives tokens for a server, and how. */
export interface Discovered {
  readonly issuer: string;
  readonly metadata: AuthorizationServerMetadata;
  /** RFC 8707: the server's resource, as it spells it. */
  readonly indicator: string;
  /** What the server's metadata say that it needs. */
  readonly scope?: string;
  /** RFC 7009. */
  readonly revocationEndpoint?: string;
}

/**
 * Asks the server who gives tokens for it (RFC 9728), and that issuer how (RFC 8414, OpenID Connect Discovery). A server
 * without metadata of its own may be its own issuer, as in the revision of 2025-03-26.
 *
 * @param named what a challenge named as the place of the metadata
 * @param known the issuer of the sign-in before, which is preferred where the server names several
 */
export async function discover(
  place: SignInPlace,
  fetch: Fetch,
  { named, known }: { readonly named?: URL | undefined; readonly known?: string | undefined } = {},
): Promise<Discovered> {
  const resource = await resourceMetadata(place, fetch, named);
  if (resource !== undefined) {
    const allowed =
      URL.canParse(resource.resource) &&
      checkResourceAllowed({ requestedResource: place.url, configuredResource: resource.resource });
    if (!allowed) throw new SignInError({ is: "OTHER_RESOURCE", at: resourceOf(place), detail: resource.resource });
  }
  const servers = resource?.authorization_servers ?? [];
  const issuer = servers.find((one) => one === known) ?? servers[0] ?? place.url.origin;
  const { metadata, revocationEndpoint } = await issuerMetadata(issuer, fetch);
  // An issuer that does not say so would take a code from whoever has it.
  if (metadata.code_challenge_methods_supported?.includes("S256") !== true)
    throw new SignInError({ is: "NO_PKCE", issuer });
  checkedAuthorizationEndpoint(metadata.authorization_endpoint, metadata.issuer);
  const scope = resource?.scopes_supported?.join(" ");
  return {
    issuer: metadata.issuer,
    metadata,
    indicator: resource?.resource ?? resourceOf(place),
    ...(scope === undefined || scope === "" ? {} : { scope }),
    ...(revocationEndpoint === undefined ? {} : { revocationEndpoint }),
  };
}

/** The SDK leaves out of OpenID Connect's document what only RFC 8414 and its extensions know, so that is read beside it. */
async function issuerMetadata(
  issuer: string,
  fetch: Fetch,
): Promise<Pick<Discovered, "metadata" | "revocationEndpoint">> {
  let text = "{}";
  const watched: Fetch = async (...request) => {
    const response = await fetch(...request);
    if (response.ok) text = await response.clone().text();
    return response;
  };
  const metadata = await answeredBy(issuer, issuer, () =>
    discoverAuthorizationServerMetadata(issuer, { fetchFn: watched }),
  );
  if (metadata === undefined) throw new SignInError({ is: "NO_AUTHORIZATION_SERVER", at: issuer });
  const all = new Map<string, unknown>(Object.entries(JSON.parse(text)));
  const revocationEndpoint = all.get("revocation_endpoint");
  return {
    metadata: {
      ...metadata,
      client_id_metadata_document_supported: all.get("client_id_metadata_document_supported") === true,
      authorization_response_iss_parameter_supported:
        all.get("authorization_response_iss_parameter_supported") === true,
    },
    ...(typeof revocationEndpoint === "string" ? { revocationEndpoint } : {}),
  };
}

/** Undefined where the server has none. */
async function resourceMetadata(
  { url }: SignInPlace,
  fetch: Fetch,
  named: URL | undefined,
): Promise<OAuthProtectedResourceMetadata | undefined> {
  let found = false;
  // What stands at another origin is not the server's word.
  const resourceMetadataUrl = named?.origin === url.origin ? named : undefined;
  const watched: Fetch = async (...request) => {
    const response = await fetch(...request);
    found = response.ok;
    return response;
  };
  try {
    const options = resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl };
    return await discoverOAuthProtectedResourceMetadata(url, options, watched);
  } catch (error) {
    if (error instanceof SignInError) throw error;
    if (!found) return undefined;
    throw new SignInError({ is: "BAD_ANSWER", at: resourceOf({ url }), detail: "SHAPE" }, { cause: error });
  }
}
