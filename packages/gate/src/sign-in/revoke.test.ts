import { asServerName, type ServerName } from "@countersign/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { KeptSignIn } from "./kept-sign-in.ts";
import { revoke } from "./revoke.ts";
import { Answer, type SmallIssuer, smallIssuer } from "./under-test/small-issuer.ts";

let small: SmallIssuer;
beforeEach(async () => {
  small = await smallIssuer();
});
afterEach(() => small.close());

function kept(more: Partial<KeptSignIn> = {}): KeptSignIn {
  const { url, issuer } = small;
  return {
    ...{ version: 1, server: asServerName("notes") as ServerName, resource: url.href, issuer, indicator: url.href },
    ...{ client: { from: "registration", id: "client" }, authMethods: ["none"], reachedAt: "loopback" },
    ...{ tokenEndpoint: `${issuer}/token`, revocationEndpoint: `${issuer}/revoke` },
    ...{ accessToken: "access", refreshToken: "refresh", expires: 0 },
    ...more,
  };
}

const refusal = (error: string) => new Answer(400, JSON.stringify({ error }));

test("the refresh token is revoked, then the access token", async () => {
  expect(await revoke(kept(), small.url, {})).toEqual({ is: "revoked" });
  expect(small.asked).toEqual([
    "POST /revoke token=refresh&token_type_hint=refresh_token&client_id=client",
    "POST /revoke token=access&token_type_hint=access_token&client_id=client",
  ]);
});

test.each([
  ["by nobody, where there is no endpoint", { revocationEndpoint: undefined }, { is: "no-endpoint" }],
  [
    "at no other place than a server may name",
    { revocationEndpoint: "http://evil.example/revoke" },
    { is: "failed", failure: { is: "PLAIN_HTTP" } },
  ],
] as const)("%s", async (_, more, revocation) => {
  const { revocationEndpoint: at, ...rest } = kept();
  const where = more.revocationEndpoint === undefined ? {} : { revocationEndpoint: more.revocationEndpoint };
  expect(at).toBeDefined();
  expect(await revoke({ ...rest, ...where }, small.url, {})).toMatchObject(revocation);
  expect(small.asked).toEqual([]);
});

test("what is not revoked is said", async () => {
  small.answers.set("/revoke", refusal("unsupported_token_type"));
  expect(await revoke(kept(), small.url, {})).toMatchObject({
    is: "failed",
    failure: { is: "TOKEN_REFUSED", error: "unsupported_token_type" },
  });
  small.answers.set("/revoke", refusal("<b>"));
  expect(await revoke(kept(), small.url, {})).toMatchObject({ is: "failed", failure: { error: "UNKNOWN" } });
});
