import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asServerName, type ServerName } from "@countersign/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { KeptSignIn, SignInPlace } from "./kept-sign-in.ts";
import type { Keychain } from "./keychain.ts";
import { openSignInStore } from "./sign-in-store.ts";

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "sign-ins-")), "sign-ins");
});
afterEach(() => {
  rmSync(join(folder, ".."), { recursive: true });
});

const github = asServerName("github") as ServerName;
const place: SignInPlace = { server: github, url: new URL("https://mcp.example.com/mcp?key=1") };
const kept: KeptSignIn = {
  ...{ version: 1, server: "github", resource: "https://mcp.example.com/mcp", issuer: "https://login.example.com" },
  client: { from: "registration", id: "client" },
  ...{ tokenEndpoint: "https://login.example.com/token", authMethods: [], reachedAt: "public" },
  ...{ indicator: "https://mcp.example.com/mcp", accessToken: "the-token", refreshToken: "the-refresh-token" },
};
const withoutKeychain = () => openSignInStore({ folder, keychain: async () => undefined });

/** A keychain in memory, as the systems' are: it holds texts by account. */
function inMemory(): Keychain & { readonly held: Map<string, string> } {
  const held = new Map<string, string>();
  return {
    held,
    get: async (account) => held.get(account),
    set: async (account, secret) => void held.set(account, secret),
    remove: async (account) => void held.delete(account),
  };
}

describe("tokens are kept [sign-in.kept]", () => {
  test("in a file that nobody else can read, in a folder that nobody else can", async () => {
    const store = withoutKeychain();
    expect(await store.write(place, kept)).toBe("file");
    expect(await store.read(place)).toEqual(kept);
    const files = readdirSync(folder);
    expect(files.map((name) => (statSync(join(folder, name)).mode & 0o777).toString(8))).toEqual(
      files.map(() => "600"),
    );
    expect((statSync(folder).mode & 0o777).toString(8)).toBe("700");
    expect(files.filter((name) => readFileSync(join(folder, name), "utf8").includes("-token"))).toHaveLength(1);
  });

  test("in the keychain, and then in no file", async () => {
    const keychain = inMemory();
    const store = openSignInStore({ folder, keychain: async () => keychain });
    expect(await store.write(place, kept)).toBe("keychain");
    expect(await store.read(place)).toEqual(kept);
    for (const name of readdirSync(folder)) expect(readFileSync(join(folder, name), "utf8")).not.toContain("-token");
    const [mark] = await store.marks();
    await store.forget(mark?.name ?? "");
    expect([keychain.held.size, readdirSync(folder), await store.read(place)]).toEqual([0, [], undefined]);
  });

  test.each([
    ["fails", { set: () => Promise.reject(new Error("no storage")) }],
    ["forgets at once", { get: async () => undefined }],
  ])("in the file, where the keychain %s", async (_, broken) => {
    const store = openSignInStore({ folder, keychain: async () => ({ ...inMemory(), ...broken }) });
    expect(await store.write(place, kept)).toBe("file");
    expect(await store.read(place)).toEqual(kept);
  });

  test("for one server by its name, at one URL", async () => {
    const store = withoutKeychain();
    await store.write(place, kept);
    const others: SignInPlace[] = [
      { ...place, server: asServerName("gitHub") as ServerName },
      ...[
        "https://mcp.example.com/mcp",
        "https://mcp.example.com/mcp?key=2",
        "https://mcp.example.com/mcp/",
        "https://mcp.example.com:8443/mcp?key=1",
        "http://mcp.example.com/mcp?key=1",
        "https://evil.example/mcp?key=1",
      ].map((url) => ({ server: github, url: new URL(url) })),
    ];
    for (const other of others) {
      expect([other.url.href, await store.read(other)]).toEqual([other.url.href, undefined]);
      expect(await store.stamp(other)).toBeUndefined();
    }
    expect(await store.read({ ...place, url: new URL("https://mcp.example.com/mcp?key=1#f") })).toEqual(kept);
  });

  test("of one issuer: of the one before nothing is left", async () => {
    const store = withoutKeychain();
    await store.write(place, kept);
    const before = await store.stamp(place);
    await store.write(place, { ...kept, issuer: "https://other.example.com" });
    expect(readdirSync(folder)).toHaveLength(2);
    expect(await store.stamp(place)).not.toBe(before);
  });
});

describe("tokens are not read [sign-in.unsafe]", () => {
  const tokens = () => join(folder, readdirSync(folder).find((name) => name.endsWith(".tokens")) ?? "");

  test.each([
    ["that others can read", () => chmodSync(tokens(), 0o644), "OTHERS_CAN_READ"],
    ["that their group can read", () => chmodSync(tokens(), 0o640), "OTHERS_CAN_READ"],
    ["in a folder that others can write to", () => chmodSync(folder, 0o777), "OTHERS_CAN_READ"],
    [
      "behind a link",
      () => {
        const path = tokens();
        writeFileSync(join(folder, "..", "planted"), readFileSync(path), { mode: 0o600 });
        rmSync(path);
        symlinkSync(join(folder, "..", "planted"), path);
      },
      "NOT_A_FILE",
    ],
    ["of another shape", () => writeFileSync(tokens(), "{}"), "NO_RECORD"],
    ["of no shape", () => writeFileSync(tokens(), "{"), "NO_RECORD"],
    [
      "of another issuer",
      () => writeFileSync(tokens(), JSON.stringify({ ...kept, issuer: "https://evil.example" })),
      "NO_RECORD",
    ],
  ])("from a file %s", async (_, spoil, because) => {
    const store = withoutKeychain();
    await store.write(place, kept);
    spoil();
    await expect(store.read(place)).rejects.toMatchObject({ failure: { is: "UNSAFE_FILE", because } });
  });

  test("from a keychain that is not there any more", async () => {
    await openSignInStore({ folder, keychain: async () => inMemory() }).write(place, kept);
    await expect(withoutKeychain().read(place)).rejects.toMatchObject({ failure: { is: "KEYCHAIN" } });
  });
});
