import { selectClientAuthMethod } from "@modelcontextprotocol/client";
import { carefulFetch } from "./careful-fetch.ts";
import { informationOf } from "./client-for.ts";
import type { KeptSignIn } from "./kept-sign-in.ts";
import { SignInError, type SignInFailure } from "./sign-in-error.ts";
import type { SignInSettings } from "./sign-in-settings.ts";

export type Revocation =
  | { readonly is: "revoked" }
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
    if (refreshToken !== undefined) await ask(refreshToken, "refresh_token");
    await ask(accessToken, "access_token");
    return { is: "revoked" };
  } catch (error) {
    if (error instanceof SignInError) return { is: "failed", failure: error.failure };
    throw error;
  }

  async function ask(token: string, hint: string): Promise<void> {
    const body = new URLSearchParams({ token, token_type_hint: hint });
    const headers = new Headers({ "content-type": "application/x-www-form-urlencoded" });
    authenticate(headers, body);
    const { status } = await fetch(at ?? "", { method: "POST", headers, body });
    // RFC 7009 §2.2.1: it may not be able to revoke this kind, and then what it was given for may go on.
    if (status !== 200 && status !== 204)
      throw new SignInError({ is: "TOKEN_REFUSED", issuer: kept.issuer, error: `http_${status}` });
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
