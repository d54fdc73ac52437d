import { asServerName, type ServerName } from "@countersign/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { carefulFetch } from "./careful-fetch.ts";
import { type Discovered, discover } from "./discover.ts";
import { SignInError } from "./sign-in-error.ts";
import { Answer, paths, type SmallIssuer, smallIssuer } from "./under-test/small-issuer.ts";

let small: SmallIssuer;
beforeEach(async () => {
  small = await smallIssuer();
});
afterEach(() => small.close());

const server = asServerName("notes") as ServerName;

async function found(options: Parameters<typeof discover>[2] = {}): Promise<Discovered | SignInError["failure"]> {
  const { url } = small;
  try {
    return await discover({ server, url }, carefulFetch({ resource: url }).fetch, options);
  } catch (error) {
    if (error instanceof SignInError) return error.failure;
    throw error;
  }
}

/** Changes a document. */
function change(path: string, members: Readonly<Record<string, unknown>>): void {
  small.answers.set(path, { ...(small.answers.get(path) as object), ...members });
}

describe("who gives tokens for a server [sign-in.discovery]", () => {
  test("it says so itself, and the issuer says how", async () => {
    expect(await found()).toMatchObject({
      ...{ issuer: small.issuer, indicator: small.url.href, scope: "notes.read" },
      revocationEndpoint: `${small.issuer}/revoke`,
      metadata: { authorization_response_iss_parameter_supported: true, client_id_metadata_document_supported: false },
    });
    expect(small.asked).toEqual([`GET ${paths.resource}`, `GET ${paths.issuer}`]);
  });

  test("the place that the challenge names is asked, if it is the server's own", async () => {
    small.answers.set("/metadata", small.answers.get(paths.resource));
    await found({ named: new URL("/metadata", small.url) });
    expect(small.asked[0]).toBe("GET /metadata");
    small.asked.length = 0;
    await found({ named: new URL("/metadata", small.issuer) });
    expect(small.asked[0]).toBe(`GET ${paths.resource}`);
  });

  test("of several issuers it is the one that was before, else the first", async () => {
    change(paths.resource, { authorization_servers: ["https://login.example.com", small.issuer] });
    expect(await found({ known: small.issuer })).toMatchObject({ issuer: small.issuer });
    expect(await found()).not.toMatchObject({ issuer: small.issuer });
  });

  test("a server without metadata of its own may be its own issuer", async () => {
    small.answers.delete(paths.resource);
    const { origin } = small.url;
    change(paths.issuer, { issuer: origin, authorization_endpoint: `${origin}/authorize` });
    expect(await found()).toMatchObject({ issuer: origin, indicator: small.url.href });
  });

  test("an issuer of OpenID Connect is asked where that says", async () => {
    small.answers.set("/.well-known/openid-configuration", {
      ...(small.answers.get(paths.issuer) as object),
      ...{ jwks_uri: `${small.issuer}/jwks`, subject_types_supported: ["public"] },
      ...{ id_token_signing_alg_values_supported: ["RS256"], client_id_metadata_document_supported: true },
    });
    small.answers.delete(paths.issuer);
    expect(await found()).toMatchObject({
      revocationEndpoint: `${small.issuer}/revoke`,
      metadata: { client_id_metadata_document_supported: true, authorization_response_iss_parameter_supported: true },
    });
  });

  test.each([
    [
      "metadata of another resource",
      () => change(paths.resource, { resource: "https://bank.example/" }),
      "OTHER_RESOURCE",
    ],
    [
      "metadata of a part of the server",
      () => change(paths.resource, { resource: `${small.url}/part` }),
      "OTHER_RESOURCE",
    ],
    ["metadata of no resource", () => change(paths.resource, { resource: 7 }), "BAD_ANSWER"],
    ["metadata that are no JSON", () => small.answers.set(paths.resource, new Answer(200, "<html>")), "BAD_ANSWER"],
    ["an issuer that is another", () => change(paths.issuer, { issuer: "https://login.example.com" }), "OTHER_ISSUER"],
    ["no issuer there", () => small.answers.delete(paths.issuer), "NO_AUTHORIZATION_SERVER"],
    [
      "an issuer over plain http",
      () => change(paths.resource, { authorization_servers: ["http://a.example"] }),
      "PLAIN_HTTP",
    ],
    [
      "an issuer that is no address",
      () => change(paths.resource, { authorization_servers: ["javascript:x"] }),
      "BAD_ANSWER",
    ],
    ["no word of PKCE", () => change(paths.issuer, { code_challenge_methods_supported: undefined }), "NO_PKCE"],
    [
      "only PKCE that shows the code",
      () => change(paths.issuer, { code_challenge_methods_supported: ["plain"] }),
      "NO_PKCE",
    ],
    [
      "an authorization endpoint of this machine's files",
      () => change(paths.issuer, { authorization_endpoint: "file:///etc/passwd" }),
      "BAD_AUTHORIZATION_ENDPOINT",
    ],
    ["a script as one", () => change(paths.issuer, { authorization_endpoint: "javascript:alert(1)" }), "BAD_ANSWER"],
    ["a flag as one", () => change(paths.issuer, { authorization_endpoint: "--flag" }), "BAD_ANSWER"],
    [
      "metadata that lead elsewhere",
      () => small.answers.set(paths.issuer, new Answer(302, "", { location: "https://evil.example/" })),
      "REDIRECTED",
    ],
    [
      "metadata without an end",
      () => small.answers.set(paths.issuer, new Answer(200, " ".repeat(1_048_577))),
      "TOO_LARGE",
    ],
  ])("%s is refused", async (_, spoil, is) => {
    spoil();
    expect(await found()).toMatchObject({ is });
  });
});
