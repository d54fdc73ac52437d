import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asServerName, type ServerName } from "@countersign/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Credential, type CredentialOptions, type SignInEvent } from "./credential.ts";
import type { SignInPlace } from "./kept-sign-in.ts";
import type { Consent, Person } from "./person.ts";
import { openSignInStore, type SignInStore } from "./sign-in-store.ts";
import { Answer, paths, type SmallIssuer, smallIssuer } from "./under-test/small-issuer.ts";

let small: SmallIssuer;
let folder: string;
let store: SignInStore;
let place: SignInPlace;
let events: SignInEvent[];
let told: Consent[];
beforeEach(async () => {
  small = await smallIssuer();
  folder = join(mkdtempSync(join(tmpdir(), "sign-ins-")), "sign-ins");
  store = openSignInStore({ folder, keychain: async () => undefined });
  place = { server: asServerName("notes") as ServerName, url: small.url };
  events = [];
  told = [];
});
afterEach(() => {
  small.close();
  rmSync(join(folder, ".."), { recursive: true });
});

/** Somebody who consents at once, by the answer that `with` makes of the page's parameters. */
function person(
  answer = (asked: URLSearchParams): Record<string, string> => ({ code: "c", state: asked.get("state") ?? "" }),
): Person {
  return {
    tell: (consent) => told.push(consent),
    browse: async ({ searchParams }) => {
      const back = new URL(searchParams.get("redirect_uri") ?? "");
      back.search = String(new URLSearchParams({ iss: small.issuer, ...answer(searchParams) }));
      // Its page comes when the sign-in is over.
      fetch(back).catch(() => undefined);
      return true;
    },
    couldNotBrowse: () => undefined,
  };
}

function credential(more: Partial<CredentialOptions> = {}): Credential {
  return new Credential({ place, settings: {}, store, folder, report: (event) => events.push(event), ...more });
}

const refused = { status: 401, wwwAuthenticate: "Bearer" } as const;
const sent = async (one: Credential) => (await one.headers()).get("authorization");
const token = (name: string, more = {}) =>
  small.answers.set("/token", { access_token: name, token_type: "Bearer", refresh_token: `${name}-refresh`, ...more });

/** Signed in, by an earlier process. */
async function signedIn(more = {}): Promise<void> {
  token("first", more);
  expect(await credential({ person: person() }).unauthorized(refused)).toBe(true);
  small.asked.length = 0;
  events.length = 0;
  told.length = 0;
}

describe("a person signs in [sign-in.consent]", () => {
  test("and has been told where, before", async () => {
    const one = credential({ person: person() });
    expect(await sent(one)).toBeUndefined();
    expect(await one.unauthorized({ status: 401, wwwAuthenticate: 'Bearer scope="notes.write"' })).toBe(true);
    expect(await sent(one)).toBe("Bearer token-1");
    expect(events).toEqual([{ is: "signed-in", issuer: small.issuer }]);
    const [{ url = "", ...consent } = {}] = told;
    expect(told).toHaveLength(1);
    expect(consent).toEqual({
      ...{ server: "notes", resource: small.url.href, issuer: small.issuer, scope: "notes.write", opens: true },
    });
    const asked = new URL(url).searchParams;
    expect(Object.fromEntries(asked)).toMatchObject({
      ...{ response_type: "code", client_id: "registered", code_challenge_method: "S256" },
      ...{ resource: small.url.href, scope: "notes.write" },
    });
    const exchange = new URLSearchParams(small.asked.find((line) => line.startsWith("POST /token"))?.slice(12));
    expect(exchange.get("resource")).toBe(small.url.href);
    expect(exchange.get("redirect_uri")).toBe(asked.get("redirect_uri"));
    expect(asked.get("redirect_uri")).toMatch(/^http:\/\/127\.0\.0\.1:[0-9]+\/callback$/);
  });

  test("with the operator's client, whose secret is not kept", async () => {
    const settings = { clientId: "own", clientSecret: "the-secret", scope: "mine" };
    const one = credential({ person: person(), settings });
    expect(await one.unauthorized(refused)).toBe(true);
    expect(small.asked.some((line) => line.startsWith("POST /register"))).toBe(false);
    expect(JSON.stringify(await store.read(place))).not.toContain("the-secret");
    expect(told[0]).toMatchObject({ scope: "mine" });
    // The refresh token is of that client: another one has none.
    expect(await credential({ settings: { clientId: "other" } }).unauthorized(refused)).toBe(true);
    const other = credential({ settings: { clientId: "other" } });
    await other.headers();
    expect(await other.unauthorized(refused)).toBe(false);
  });

  test("with the operator's metadata document, where the issuer reads them", async () => {
    const clientMetadataUrl = "https://me.example.com/countersign.json";
    const settings = { clientMetadataUrl };
    small.answers.set(paths.issuer, {
      ...(small.answers.get(paths.issuer) as object),
      client_id_metadata_document_supported: true,
    });
    expect(await credential({ person: person(), settings }).unauthorized(refused)).toBe(true);
    expect(new URL(told[0]?.url ?? "").searchParams.get("client_id")).toBe(clientMetadataUrl);
  });

  test.each([
    ["who denies", () => ({ error: "access_denied" }), { is: "DENIED", error: "access_denied" }],
    ["at an issuer that denies in words of its own", () => ({ error: "<script>" }), { is: "DENIED", error: "UNKNOWN" }],
    ["at another issuer", () => ({ iss: "https://evil.example", code: "c" }), { is: "MIXED_UP" }],
    ["at an issuer that does not say who it is", () => ({ iss: "", code: "c" }), { is: "MIXED_UP" }],
  ])("%s is not signed in, and not asked again", async (_, answer, failure) => {
    const asking = person((asked) => ({ ...answer(), state: asked.get("state") ?? "" }) as Record<string, string>);
    const one = credential({ person: asking });
    expect(await one.unauthorized(refused)).toBe(false);
    expect(events).toEqual([{ is: "needs-sign-in", failure: { issuer: small.issuer, ...failure } }]);
    expect(await one.unauthorized(refused)).toBe(false);
    expect(told).toHaveLength(1);
    expect(small.asked.filter((line) => line.startsWith("POST /token"))).toEqual([]);
    // Somebody runs the verb.
    await credential({ person: person() }).unauthorized(refused);
    expect(await one.unauthorized(refused)).toBe(true);
    expect(await sent(one)).toBe("Bearer token-1");
  });

  test("at the issuer that was before, and at another only when they ask for it", async () => {
    await signedIn();
    const other = await smallIssuer();
    try {
      small.answers.set(paths.resource, { resource: small.url.href, authorization_servers: [other.issuer] });
      small.answers.set("/token", new Answer(400, JSON.stringify({ error: "invalid_grant" })));
      const one = credential({ person: person() });
      await one.headers();
      expect(await one.unauthorized(refused)).toBe(false);
      expect(events).toEqual([
        { is: "needs-sign-in", failure: { is: "ISSUER_CHANGED", issuer: other.issuer, was: small.issuer } },
      ]);
      expect([told, other.asked]).toEqual([[], [`GET ${paths.issuer}`]]);
    } finally {
      other.close();
    }
  });

  test("and is not asked again for a token that is refused at once", async () => {
    const one = credential({ person: person() });
    expect(await one.unauthorized(refused)).toBe(true);
    await one.headers();
    expect(await one.unauthorized(refused)).toBe(false);
    expect(await one.unauthorized(refused)).toBe(false);
    expect(events).toEqual([{ is: "signed-in", issuer: small.issuer }, { is: "refused-at-once" }]);
    expect(told).toHaveLength(1);
  });

  test("once, however many are challenged meanwhile, in however many processes", async () => {
    const [one, other] = [credential({ person: person() }), credential({ person: person() })];
    const answers = [one, one, other, one, other].map((each) => each.unauthorized(refused));
    expect(await Promise.all(answers)).toEqual([true, true, true, true, true]);
    expect(told).toHaveLength(1);
    expect([await sent(one), await sent(other)]).toEqual(["Bearer token-1", "Bearer token-1"]);
  });
});

describe("a token is refreshed [sign-in.refresh]", () => {
  test("when it is refused, and again by nobody who comes later", async () => {
    await signedIn();
    const [one, other] = [credential(), credential()];
    expect([await sent(one), await sent(other)]).toEqual(["Bearer first", "Bearer first"]);
    token("second");
    expect(await Promise.all([one, other].map((each) => each.unauthorized(refused)))).toEqual([true, true]);
    expect([await sent(one), await sent(other)]).toEqual(["Bearer second", "Bearer second"]);
    expect(small.asked).toHaveLength(1);
    const asked = new URLSearchParams(small.asked[0]?.slice(12));
    expect(Object.fromEntries(asked)).toMatchObject({
      ...{ grant_type: "refresh_token", refresh_token: "first-refresh", resource: small.url.href },
    });
  });

  test("before it ends", async () => {
    await signedIn({ expires_in: 20 });
    token("second", { expires_in: 3_600 });
    const one = credential();
    expect(await sent(one)).toBe("Bearer second");
    expect(await sent(one)).toBe("Bearer second");
    expect(small.asked).toHaveLength(1);
  });

  test("and where the issuer refuses, somebody has to sign in", async () => {
    await signedIn();
    small.answers.set("/token", new Answer(400, JSON.stringify({ error: "invalid_grant", error_description: "<b>" })));
    const one = credential();
    await one.headers();
    expect(await one.unauthorized(refused)).toBe(false);
    expect(events).toEqual([{ is: "needs-sign-in" }]);
    expect(await one.unauthorized(refused)).toBe(false);
    expect(small.asked).toHaveLength(1);
    // With a person there, they do.
    token("third");
    const attended = credential({ person: person() });
    await attended.headers();
    expect(await attended.unauthorized(refused)).toBe(true);
    expect(await one.unauthorized(refused)).toBe(true);
    expect(await sent(one)).toBe("Bearer third");
  });

  test("later, where the issuer is not there now", async () => {
    await signedIn();
    small.answers.set("/token", new Answer(302, "", { location: "https://evil.example/token" }));
    const one = credential();
    await one.headers();
    expect(await one.unauthorized(refused)).toBe(false);
    expect(events).toMatchObject([{ is: "needs-sign-in", failure: { is: "REDIRECTED" } }]);
    token("second");
    expect(await one.unauthorized(refused)).toBe(true);
  });

  test("never to one for somebody else", async () => {
    await signedIn();
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    token(`${part({ alg: "none" })}.${part({ aud: "https://bank.example" })}.`);
    const one = credential();
    await one.headers();
    expect(await one.unauthorized(refused)).toBe(false);
    expect(events).toMatchObject([{ is: "needs-sign-in", failure: { is: "WRONG_AUDIENCE" } }]);
    expect(await sent(one)).toBe("Bearer first");
  });
});

describe("a server asks for more scope [sign-in.step-up]", () => {
  const wants = (scope: string) =>
    ({ status: 403, wwwAuthenticate: `Bearer error="insufficient_scope", scope="${scope}"` }) as const;

  test("and the person is asked for all of it", async () => {
    await signedIn({ scope: "a" });
    const one = credential({ person: person() });
    await one.headers();
    token("wider", { scope: "a b" });
    expect(await one.unauthorized(wants("b"))).toBe(true);
    expect(told.map(({ scope }) => scope)).toEqual(["a b"]);
    expect(await sent(one)).toBe("Bearer wider");
  });

  test("but not for what the token may do, and not for ever", async () => {
    await signedIn({ scope: "a" });
    const one = credential({ person: person() });
    await one.headers();
    expect(await one.unauthorized(wants("a"))).toBe(false);
    for (const [index, scope] of ["b", "c", "d", "e", "f"].entries()) {
      token(`token-${index}`, { scope: "a" });
      expect(await one.unauthorized(wants(scope))).toBe(index < 3);
      await one.headers();
    }
    expect(told).toHaveLength(3);
    expect(events.at(-1)).toEqual({ is: "needs-scope", scope: "f" });
  });

  test("where nobody can be asked, it is said", async () => {
    await signedIn({ scope: "a" });
    const one = credential();
    await one.headers();
    expect(await one.unauthorized(wants("b"))).toBe(false);
    expect(events).toEqual([{ is: "needs-scope", scope: "b" }]);
  });
});

test("whoever signs out elsewhere is signed out here", async () => {
  await signedIn();
  const one = credential();
  expect(await sent(one)).toBe("Bearer first");
  for (const { name } of await store.marks()) await store.forget(name);
  expect(await sent(one)).toBeUndefined();
});
