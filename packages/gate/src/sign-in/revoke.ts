import { parseErrorResponse, selectClientAuthMethod } from "@modelcontextprotocol/client";
import { shownCode } from "./answered-by.ts";
import { carefulFetch } from "./careful-fetch.ts";
import { informationOf } from "./client-for.ts";
import type { KeptSignIn } from "./kept-sign-in.ts";
import { SignInError, type SignInFailure } from "./sign-in-error.ts";
import type { SignInSettings } from "./sign-in-settings.ts";

export type Revocation =
  | { readonly is: "revoked" }
  /** The refresh token is revoked. The access token is of a kind that cannot be, and ends by itself; ISO 8601, where that is known. */
  | { readonly is: "revoked-but-last"; readonly until?: string }
  /** The issuer has no endpoint for it: the tokens are good until they end by themselves. */
  | { readonly is: "no-endpoint" }
  | { readonly is: "failed"; readonly failure: SignInFailure };

/** RFC 7009: tells the issuer that nobody wants the tokens any more. */
export async function revoke(kept: KeptSignIn, resource: URL, settings: SignInSettings): Promise<Revocation> {
  const { revocationEndpoint: at, refreshToken, accessToken } = kept;
  if (at === undefined) return { is: "no-endpoint" };
  const { fetch } = carefulFetch({ resource, from: kept.reachedAt });
  try {
    // The refresh token first: with it goes what was given for it.
    const refused = refreshToken === undefined ? undefined : await ask(refreshToken, "refresh_token");
    const last = await ask(accessToken, "access_token");
    if (refused === undefined && last === undefined) return { is: "revoked" };
    if (refreshToken !== undefined && refused === undefined && last === "unsupported_token_type") {
      const { expires } = kept;
      return { is: "revoked-but-last", ...(expires === undefined ? {} : { until: new Date(expires).toISOString() }) };
    }
    return { is: "failed", failure: { is: "TOKEN_REFUSED", issuer: kept.issuer, error: refused ?? last ?? "" } };
  } catch (error) {
    if (error instanceof SignInError) return { is: "failed", failure: error.failure };
    throw error;
  }

  /** What the issuer says against it (RFC 7009 §2.2.1). */
  async function ask(token: string, hint: string): Promise<string | undefined> {
    const body = new URLSearchParams({ token, token_type_hint: hint });
    const headers = new Headers({ "content-type": "application/x-www-form-urlencoded" });
    authenticate(headers, body);
    const response = await fetch(at ?? "", { method: "POST", headers, body });
    if (response.ok) return undefined;
    const { code } = await parseErrorResponse(response);
    return shownCode(code);
  }

  function authenticate(headers: Headers, body: URLSearchParams): void {
    const client = informationOf(kept.client, settings);
    const { client_id: id, client_secret: secret = "" } = client;
    switch (selectClientAuthMethod(client, [...kept.authMethods])) {
      case "client_secret_basic":
        headers.set("authorization", `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`);
        return;
      case "client_secret_post":
        body.set("client_id", id);
        body.set("client_secret", secret);
        return;
      case "none":
        body.set("client_id", id);
    }
  }
}
