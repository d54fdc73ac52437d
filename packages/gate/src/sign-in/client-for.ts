import { type OAuthClientInformationMixed, registerClient } from "@modelcontextprotocol/client";
import { answeredBy } from "./answered-by.ts";
import type { Fetch } from "./careful-fetch.ts";
import type { Discovered } from "./discover.ts";
import type { KeptSignIn } from "./kept-sign-in.ts";
import { SignInError } from "./sign-in-error.ts";
import type { SignInSettings } from "./sign-in-settings.ts";

export type Client = KeptSignIn["client"];

/**
 * As what we are known to an issuer: the operator's own client, else the operator's metadata document, else one that is
 * registered now, for this very redirect: the port is another each time, and not every issuer takes any port of a loopback.
 */
export async function clientFor(
  { issuer, metadata }: Discovered,
  settings: SignInSettings,
  {
    redirectUrl,
    scope,
    fetch,
  }: { readonly redirectUrl: string; readonly scope: string | undefined; readonly fetch: Fetch },
): Promise<Client> {
  const { clientId, clientMetadataUrl } = settings;
  if (clientId !== undefined) return { from: "config", id: clientId };
  if (clientMetadataUrl !== undefined && metadata.client_id_metadata_document_supported === true)
    return { from: "metadata-document", id: clientMetadataUrl, authMethod: "none" };
  const at = metadata.registration_endpoint;
  if (at === undefined) throw new SignInError({ is: "NO_CLIENT", issuer });
  const registered = await answeredBy(at, issuer, () =>
    registerClient(issuer, {
      metadata,
      clientMetadata: {
        client_name: "Countersign",
        redirect_uris: [redirectUrl],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: methodAmong(metadata.token_endpoint_auth_methods_supported),
        application_type: "native",
      },
      ...(scope === undefined ? {} : { scope }),
      fetchFn: fetch,
    }),
  );
  const { client_id: id, client_secret: secret, token_endpoint_auth_method: authMethod } = registered;
  // RFC 6749, appendix A: they go into a header.
  if (![id, secret ?? "x"].every((text) => /^[\x20-\x7e]{1,4096}$/.test(text)))
    throw new SignInError({ is: "BAD_ANSWER", at, detail: "SHAPE" });
  return {
    from: "registration",
    id,
    ...(secret === undefined ? {} : { secret }),
    ...(authMethod === undefined ? {} : { authMethod }),
  };
}

/** As the SDK's functions take a client. */
export function informationOf(
  { from, id, secret, authMethod }: Client,
  settings: SignInSettings,
): OAuthClientInformationMixed {
  const own = from === "config" ? settings.clientSecret : secret;
  return {
    client_id: id,
    ...(own === undefined ? {} : { client_secret: own }),
    ...(authMethod === undefined ? {} : { token_endpoint_auth_method: authMethod }),
  };
}

/** A program on somebody's machine keeps no secret of its own, where it need not. */
function methodAmong(supported: readonly string[] | undefined): string {
  if (supported === undefined || supported.includes("none")) return "none";
  return ["client_secret_basic", "client_secret_post"].find((method) => supported.includes(method)) ?? "none";
}
