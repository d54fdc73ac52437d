import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asServerName, type ServerName } from "@countersign/core";
import { base64url, generateKeyPair, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type JwtSettings, tokenAlgorithms } from "./jwt-settings.ts";
import { keySetAt } from "./key-set.ts";
import { tokenCheckOf } from "./token-check.ts";
import { audience, type Issuer, issuer, startIssuer } from "./under-test/key-set-server.ts";

const files = asServerName("files") as ServerName;
const mail = asServerName("mail") as ServerName;
const troubles: string[] = [];
afterEach(() => void troubles.splice(0));

function check(jwks: string, more: Partial<JwtSettings> = {}, times?: Parameters<typeof keySetAt>[1]) {
  const settings: JwtSettings = {
    ...{ jwks, issuer, audience: [audience], algorithms: tokenAlgorithms, clockTolerance: 5, scopes: [] },
    ...more,
  };
  return tokenCheckOf(settings, { keys: keySetAt(jwks, times), trouble: (error) => troubles.push(error) });
}

async function codeOf(reading: ReturnType<ReturnType<typeof check>>): Promise<string> {
  const read = await reading;
  return read.is === "token" ? "let in" : read.because.code;
}

describe("tokenCheckOf()", () => {
  let from: Issuer;
  beforeAll(async () => {
    from = await startIssuer();
  });
  afterAll(() => from.close());

  test("[access.jwt] takes a token of its issuer for its audience, and says whose it is and until when", async () => {
    const exp = Math.floor(Date.now() / 1_000) + 60;
    expect(await check(from.url)(await from.token({ exp }), files)).toEqual({
      ...{ is: "token", subject: "ada", servers: undefined, until: (exp + 5) * 1_000 },
    });
    expect(await codeOf(check(from.url)(await from.token({ aud: ["x", audience] }), undefined))).toBe("let in");
  });

  const now = () => Math.floor(Date.now() / 1_000);
  test.each([
    ["of another issuer", { iss: "https://issuer.example.com/" }, "TOKEN_ISSUER"],
    ["without an issuer", { iss: undefined }, "TOKEN_ISSUER"],
    ["for another audience", { aud: "https://other.example.com" }, "TOKEN_AUDIENCE"],
    ["for an audience that only begins alike", { aud: `${audience}.evil.example.com` }, "TOKEN_AUDIENCE"],
    ["for nobody", { aud: undefined }, "TOKEN_AUDIENCE"],
    ["that has expired", { exp: now() - 60 }, "TOKEN_EXPIRED"],
    ["that never expires", { exp: undefined }, "TOKEN_CLAIMS"],
    ["that is not valid yet", { nbf: now() + 600 }, "TOKEN_NOT_YET"],
    ["of nobody", { sub: undefined }, "TOKEN_CLAIMS"],
    ["of an empty subject", { sub: "" }, "TOKEN_CLAIMS"],
    ["of a subject that is no text", { sub: 7 }, "TOKEN_CLAIMS"],
    ["of a subject with a line feed", { sub: "ada\nroot" }, "TOKEN_CLAIMS"],
    ["of a subject of 300 characters", { sub: "a".repeat(300) }, "TOKEN_CLAIMS"],
  ])("[access.jwt] refuses a token %s", async (_, claims, code) => {
    expect(await codeOf(check(from.url)(await from.token(claims), files))).toBe(code);
  });

  test("takes a token within the tolerance of the clocks", async () => {
    expect(await codeOf(check(from.url)(await from.token({ exp: now() - 2 }), files))).toBe("let in");
    expect(await codeOf(check(from.url)(await from.token({ nbf: now() + 3 }), files))).toBe("let in");
  });

  test("[access.jwt] refuses a token that nobody signed, or that somebody signed who only knows the public key", async () => {
    const claims = { iss: issuer, aud: audience, sub: "ada", exp: now() + 600 };
    expect(await codeOf(check(from.url)(new UnsecuredJWT(claims).encode(), files))).toMatch(
      /TOKEN_(ALGORITHM|MALFORMED)/,
    );
    const [jwk] = from.keys();
    const secret = new TextEncoder().encode(JSON.stringify(jwk));
    const forged = await new SignJWT(claims).setProtectedHeader({ alg: "HS256", kid: String(jwk?.kid) }).sign(secret);
    expect(await codeOf(check(from.url)(forged, files))).toBe("TOKEN_ALGORITHM");
    expect(await codeOf(check(from.url, { algorithms: ["RS256"] })(await from.token(), files))).toBe("TOKEN_ALGORITHM");
  });

  test("[access.jwt] refuses a token whose words were changed, or whose signature is another's", async () => {
    const token = await from.token();
    const [header = "", payload = "", signature = ""] = token.split(".");
    const words = JSON.parse(Buffer.from(payload, "base64url").toString());
    const other = base64url.encode(JSON.stringify({ ...words, sub: "root" }));
    expect(await codeOf(check(from.url)(`${header}.${other}.${signature}`, files))).toBe("TOKEN_SIGNATURE");
    const { privateKey } = await generateKeyPair("ES256");
    const [jwk] = from.keys();
    const forged = await new SignJWT(words)
      .setProtectedHeader({ alg: "ES256", kid: String(jwk?.kid) })
      .sign(privateKey);
    expect(await codeOf(check(from.url)(forged, files))).toBe("TOKEN_SIGNATURE");
    expect(await codeOf(check(from.url)(await from.token({}, { kid: "another" }), files))).toBe("TOKEN_KEY_UNKNOWN");
    for (const wrong of ["x", "a.b", "a.b.c", `${token}.x`, "ey.ey.ey"]) {
      expect(await codeOf(check(from.url)(wrong, files)), wrong).toBe("TOKEN_MALFORMED");
    }
  });

  test("[access.jwt] a token for one server's own address opens no other one", async () => {
    const own = check(from.url, { audience: ["https://mcp.example.com/<server>/mcp"] });
    const token = await from.token({ aud: "https://mcp.example.com/files/mcp" });
    expect(await codeOf(own(token, files))).toBe("let in");
    expect(await codeOf(own(token, mail))).toBe("TOKEN_AUDIENCE");
    expect(await codeOf(own(token, undefined))).toBe("TOKEN_AUDIENCE");
  });

  test("[access.servers] a claim names the servers that a token is for; without it, it is for none", async () => {
    const claimed = check(from.url, { servers: "mcp_servers" });
    const serversOf = async (value: unknown) => {
      const reading = await claimed(await from.token({ mcp_servers: value }), files);
      return reading.is === "token" ? [...(reading.servers ?? ["all"])] : reading.because.code;
    };
    expect(await serversOf(["files", "mail"])).toEqual(["files", "mail"]);
    expect(await serversOf("files mail")).toEqual(["files", "mail"]);
    for (const none of [undefined, null, 7, [], "", { files: true }, [["files"]], "*", "../files"]) {
      expect(await serversOf(none)).toEqual([]);
    }
    expect(await serversOf(["__proto__", "files"])).toEqual(["files"]);
    const inherited = await check(from.url, { servers: "constructor" })(await from.token(), files);
    expect(inherited).toMatchObject({ servers: new Set() });
  });

  test("[access.jwt] a token must have every scope that is asked for", async () => {
    const scoped = check(from.url, { scopes: ["mcp:read", "mcp:call"] });
    expect(await codeOf(scoped(await from.token({ scope: "openid mcp:call mcp:read" }), files))).toBe("let in");
    expect(await codeOf(scoped(await from.token({ scp: ["mcp:call", "mcp:read"] }), files))).toBe("let in");
    expect(await scoped(await from.token({ scope: "mcp:read mcp:call:all" }), files)).toEqual({
      ...{ is: "refused", because: { code: "SCOPE_MISSING", scopes: ["mcp:read", "mcp:call"] } },
    });
  });

  test("[access.jwt] what counted counts again for the same server only, and no longer than it is valid", async () => {
    const own = check(from.url, { audience: ["https://mcp.example.com/<server>/mcp"], clockTolerance: 0 });
    const exp = Math.ceil(Date.now() / 1_000 + 0.3);
    const token = await from.token({ aud: "https://mcp.example.com/files/mcp", exp });
    expect(await codeOf(own(token, files))).toBe("let in");
    expect(await codeOf(own(token, files))).toBe("let in");
    expect(await codeOf(own(token, mail))).toBe("TOKEN_AUDIENCE");
    expect(await codeOf(own(`${token.slice(0, -4)}AAAA`, files))).toBe("TOKEN_SIGNATURE");
    await new Promise((waited) => setTimeout(waited, exp * 1_000 - Date.now() + 20));
    expect(await codeOf(own(token, files))).toBe("TOKEN_EXPIRED");
  });

  test("takes what RSA and EdDSA sign", async () => {
    for (const alg of ["RS256", "PS256", "EdDSA"]) {
      const other = await startIssuer(alg);
      expect(await codeOf(check(other.url)(await other.token(), files))).toBe("let in");
      await other.close();
    }
  });
});

describe("keySetAt()", () => {
  const times = { timeout: 300, cooldown: 50, age: 60_000 };

  test("[access.key-set] asks once for many tokens, and again for a key that came since", async () => {
    const from = await startIssuer();
    const one = check(from.url, {}, times);
    for (let count = 0; count < 20; count++) expect(await codeOf(one(await from.token(), files))).toBe("let in");
    expect(from.asked()).toBe(1);
    await from.rotate();
    await new Promise((waited) => setTimeout(waited, 60));
    expect(await codeOf(one(await from.token(), files))).toBe("let in");
    expect(from.asked()).toBe(2);
    await Promise.all(
      Array.from({ length: 50 }, async (_, count) =>
        codeOf(one(await from.token({}, { kid: `made up ${count}` }), files)),
      ),
    );
    expect(from.asked()).toBe(2);
    await from.close();
  });

  test.each([
    ["an error", 500, "{}", "KEY_SET_UNREACHABLE"],
    ["a redirect", 302, "", "KEY_SET_UNREACHABLE"],
    ["no JSON", 200, "<html>", "KEY_SET_UNREADABLE"],
    ["no key set", 200, '{"keys":{}}', "KEY_SET_UNREADABLE"],
    ["more than anybody's keys", 200, `{"keys":[],"x":"${"a".repeat(300_000)}"}`, "KEY_SET_UNREADABLE"],
  ])("[access.key-set] lets nobody in where the issuer answers with %s, and says so", async (_, status, body, code) => {
    const from = await startIssuer();
    from.answers(status, body);
    const one = check(from.url, {}, times);
    expect(await codeOf(one(await from.token(), files))).toBe(code);
    expect(troubles.join()).toContain(from.url);
    expect(await codeOf(one(await from.token(), files))).toBe(code);
    await from.close();
  });

  test("[access.key-set] does not ask again for each token where the issuer cannot be reached", async () => {
    const from = await startIssuer();
    from.answers(503, "");
    const one = check(from.url, {}, { ...times, cooldown: 30_000 });
    for (let count = 0; count < 10; count++) {
      expect(await codeOf(one(await from.token({}, { kid: `${count}` }), files))).toBe("KEY_SET_UNREACHABLE");
    }
    expect(from.asked()).toBe(1);
    await from.close();
    const gone = check(from.url, {}, times);
    expect(await codeOf(gone(await from.token(), files))).toBe("KEY_SET_UNREACHABLE");
  });

  test("[access.key-set] reads a file, and lets nobody in where it is none", async () => {
    const folder = mkdtempSync(join(tmpdir(), "countersign-keys-"));
    const path = join(folder, "jwks.json");
    const from = await startIssuer();
    expect(await codeOf(check(path)(await from.token(), files))).toBe("KEY_SET_UNREADABLE");
    writeFileSync(path, "{}");
    expect(await codeOf(check(path)(await from.token(), files))).toBe("KEY_SET_UNREADABLE");
    writeFileSync(path, JSON.stringify({ keys: from.keys() }));
    expect(await codeOf(check(path)(await from.token(), files))).toBe("let in");
    await from.close();
    rmSync(folder, { recursive: true });
  });
});
