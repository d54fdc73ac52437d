import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { asServerName, type ServerName } from "@countersign/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AccessOptions, accessOf } from "./access-of.ts";
import { tokenAlgorithms } from "./jwt-settings.ts";
import { newKey } from "./key.ts";
import { audience, type Issuer, issuer, startIssuer } from "./under-test/key-set-server.ts";
import { someKeys } from "./under-test/keys.ts";

const files = asServerName("files") as ServerName;
const mail = asServerName("mail") as ServerName;
const none = asServerName("none") as ServerName;
const keys = someKeys();
const troubles: string[] = [];

function access(more: Partial<AccessOptions> = {}) {
  return accessOf({
    ...{ keys: keys.all, anonymous: false, exists: (server) => server !== none },
    trouble: (error) => troubles.push(error),
    ...more,
  });
}

function request(
  authorization: string | readonly string[] | undefined,
  more: Record<string, string> = {},
  from = "127.0.0.1",
) {
  const socket = new Socket();
  Object.defineProperty(socket, "remoteAddress", { value: from });
  const message = new IncomingMessage(socket);
  const values = authorization === undefined ? [] : [authorization].flat();
  const headers = [
    ...Object.entries({ Host: "localhost:7420", ...more }),
    ...values.map((one) => ["Authorization", one]),
  ];
  message.rawHeaders = headers.flat();
  for (const [name = "", value = ""] of headers) message.headers[name.toLowerCase()] ??= value;
  return message;
}

async function codeOf(admission: ReturnType<ReturnType<typeof access>["admit"]>): Promise<string> {
  const one = await admission;
  return one.is === "admitted" ? one.principal.id : one.because.code;
}

describe("accessOf(), by keys", () => {
  test("[access.keys] lets in whoever has a key, by its name", async () => {
    const key = keys.add("ci");
    for (const value of [`Bearer ${key}`, `bearer ${key}`, `BEARER   ${key}`]) {
      expect(await codeOf(access().admit(request(value), files)), value).toBe("key:ci");
    }
    const admitted = await access().admit(
      request(`Bearer ${keys.add("later", { expires: Date.now() + 5_000 })}`),
      mail,
    );
    expect(admitted).toMatchObject({ is: "admitted", principal: { id: "key:later" }, by: { is: "key" } });
    expect(JSON.stringify(admitted)).not.toContain("csk_");
  });

  test("[access.keys] tells a slip, a key that nobody made, a revoked one and an expired one apart", async () => {
    const key = keys.add("ada");
    const slip = `${key.slice(0, -1)}${key.endsWith("A") ? "B" : "A"}`;
    expect(await codeOf(access().admit(request(`Bearer ${slip}`), files))).toBe("KEY_MISTYPED");
    expect(await codeOf(access().admit(request("Bearer csk_"), files))).toBe("KEY_MISTYPED");
    expect(await codeOf(access().admit(request(`Bearer ${newKey().text}`), files))).toBe("KEY_UNKNOWN");
    expect(await codeOf(access().admit(request(`Bearer ${keys.add("old", { expires: Date.now() })}`), files))).toBe(
      "KEY_EXPIRED",
    );
    keys.revoke(key);
    expect(await codeOf(access().admit(request(`Bearer ${key}`), files))).toBe("KEY_REVOKED");
  });

  test("[access.keys] another key with the identifier of a known one opens nothing", async () => {
    const fixed = (count: number) =>
      newKey((bytes) => (bytes === 16 ? Buffer.alloc(16, 7) : Buffer.alloc(bytes, count)));
    const [real, forged] = [fixed(1), fixed(2)];
    expect(real.id).toBe(forged.id);
    const known = new Map([[real.id, { key: real.id, name: "ci" as never, hash: real.hash, by: "ada", at: 1 }]]);
    const one = access({ keys: async () => known });
    expect(await codeOf(one.admit(request(`Bearer ${forged.text}`), files))).toBe("KEY_UNKNOWN");
    expect(await codeOf(one.admit(request(`Bearer ${real.text}`), files))).toBe("key:ci");
  });

  test("[access.servers] a key for some servers opens no other one, and does not say which there are", async () => {
    const key = keys.add("some", { servers: [files] });
    expect(await codeOf(access().admit(request(`Bearer ${key}`), files))).toBe("key:some");
    expect(await codeOf(access().admit(request(`Bearer ${key}`), mail))).toBe("SERVER_NOT_ALLOWED");
    expect(await codeOf(access().admit(request(`Bearer ${key}`), none))).toBe("SERVER_NOT_ALLOWED");
    expect(await codeOf(access().admit(request(`Bearer ${key}`), undefined))).toBe("SERVER_NOT_ALLOWED");
    const every = keys.add("every");
    expect(await codeOf(access().admit(request(`Bearer ${every}`), none))).toBe("NO_SUCH_SERVER");
    expect(await codeOf(access().admit(request(`Bearer ${every}`), undefined))).toBe("key:every");
  });

  test.each([
    ...["Basic YWRhOnNlY3JldA==", "Bearer", "Bearer ", "", "csk_abc", "Bearer a b", 'Bearer "x"', "Bearer x,Bearer y"],
    ...["Bearer é", "Negotiate abc", "Bearer\tabc"],
  ])("[access.malformed] takes %j for no credential at all", async (value) => {
    expect(await codeOf(access({ anonymous: true }).admit(request(value), files))).toBe("MALFORMED_HEADER");
  });

  test("[access.malformed] two credentials are none, whichever is good", async () => {
    const key = `Bearer ${keys.add("twice")}`;
    for (const two of [
      [key, key],
      [key, "Bearer x"],
      ["Bearer x", key],
    ]) {
      expect(await codeOf(access().admit(request(two), files))).toBe("MALFORMED_HEADER");
    }
  });

  test("[access.closed] lets nobody in while the ledger cannot be read, and says why", async () => {
    const broken = access({ keys: () => Promise.reject(new Error("the disk is gone")) });
    expect(await codeOf(broken.admit(request(`Bearer ${newKey().text}`), files))).toBe("LEDGER_TROUBLE");
    expect(troubles).toContain("the disk is gone");
    await expect(broken.holding()).rejects.toThrow("the disk is gone");
  });

  test("[access.revoked] what was let in by a key holds until it is revoked", async () => {
    const key = keys.add("soon");
    const one = access();
    const admitted = await one.admit(request(`Bearer ${key}`), files);
    if (admitted.is !== "admitted") throw new Error("it was not let in");
    expect((await one.holding())(admitted)).toBe(true);
    keys.revoke(key);
    expect((await one.holding())(admitted)).toBe(false);
  });
});

describe("accessOf(), without a credential", () => {
  test("[access.anonymous] lets in only where that was asked for, and whoever is at this machine", async () => {
    expect(await codeOf(access().admit(request(undefined), files))).toBe("NO_CREDENTIAL");
    const open = access({ anonymous: true });
    expect(await codeOf(open.admit(request(undefined), files))).toBe("anonymous");
    expect(await codeOf(open.admit(request(undefined, { Host: "[::1]:7420" }, "::1"), files))).toBe("anonymous");
    expect(await codeOf(open.admit(request(undefined), none))).toBe("NO_SUCH_SERVER");
  });

  test.each([
    ["by another name", { Host: "mcp.example.com" }, "127.0.0.1"],
    ["from another machine", {}, "10.0.0.1"],
    ["through a proxy", { "X-Forwarded-For": "10.0.0.1" }, "127.0.0.1"],
    ["through another proxy", { Forwarded: "for=10.0.0.1" }, "127.0.0.1"],
    ["through a third one", { Via: "1.1 proxy" }, "127.0.0.1"],
    ["through a fourth one", { "X-Real-IP": "127.0.0.1" }, "127.0.0.1"],
  ])("[access.anonymous] lets nobody in %s", async (_, headers, from) => {
    const open = access({ anonymous: true });
    expect(await codeOf(open.admit(request(undefined, headers, from), files))).toBe("NO_CREDENTIAL");
  });

  test("[access.anonymous] whoever shows a credential that is none is not let in without it", async () => {
    const open = access({ anonymous: true });
    expect(await codeOf(open.admit(request(`Bearer ${newKey().text}`), files))).toBe("KEY_UNKNOWN");
    expect(await codeOf(open.admit(request("Bearer something"), files))).toBe("TOKENS_NOT_TAKEN");
  });
});

describe("accessOf(), by tokens", () => {
  let from: Issuer;
  beforeAll(async () => {
    from = await startIssuer();
  });
  afterAll(() => from.close());

  const withTokens = (more: Partial<NonNullable<AccessOptions["jwt"]>> = {}) =>
    access({
      jwt: {
        ...{ jwks: from.url, issuer, audience: [audience], algorithms: tokenAlgorithms, clockTolerance: 0, scopes: [] },
        ...more,
      },
    });

  test("[access.jwt] a principal is an issuer and a subject; keys go on to count", async () => {
    const token = await from.token();
    const admitted = await withTokens().admit(request(`Bearer ${token}`), files);
    expect(admitted).toMatchObject({ principal: { id: `jwt:${issuer} ada` }, by: { is: "jwt", token } });
    expect(await codeOf(withTokens().admit(request(`Bearer ${keys.add("beside")}`), files))).toBe("key:beside");
    expect(withTokens({ scopes: ["mcp"] }).issuer).toEqual({ url: issuer, scopes: ["mcp"] });
    expect(access().issuer).toBeUndefined();
  });

  test("[access.servers] a token for some servers opens no other one", async () => {
    const one = withTokens({ servers: "servers" });
    const bearer = `Bearer ${await from.token({ servers: ["files", "none"] })}`;
    expect(await codeOf(one.admit(request(bearer), files))).toBe(`jwt:${issuer} ada`);
    expect(await codeOf(one.admit(request(bearer), mail))).toBe("SERVER_NOT_ALLOWED");
    expect(await codeOf(one.admit(request(bearer), undefined))).toBe("SERVER_NOT_ALLOWED");
    expect(await codeOf(one.admit(request(`Bearer ${await from.token()}`), files))).toBe("SERVER_NOT_ALLOWED");
  });
});
