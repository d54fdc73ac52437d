import { execFile } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, type TestContext } from "vitest";
import { approve } from "./rig/approve.ts";
import { type AuthorizationServerOptions, serveAuthorization } from "./rig/authorization-server.ts";
import { isBrowserHere, openedPages, signInAt, startBrowser } from "./rig/browser.ts";
import { eventually } from "./rig/eventually.ts";
import { serveHttp } from "./rig/http-server.ts";
import type { Ended, Place } from "./rig/place.ts";
import { buildNotes, serveProtected } from "./rig/protected-server.ts";
import type { RawHost } from "./rig/raw-host.ts";
import { toolNames } from "./rig/station.ts";
import { test } from "./rig/test.ts";

let browser: Browser;
beforeAll(async () => {
  if (isBrowserHere) browser = await startBrowser();
});
afterAll(async () => {
  if (isBrowserHere) await browser.close();
});

/** Of one test: they run beside one another. */
type Finally = TestContext["onTestFinished"];
type Skip = TestContext["skip"];

interface Given {
  readonly place: Place;
  readonly skip: Skip;
  readonly onTestFinished: Finally;
}

/** A server with its issuer, whoever may sign in to it, and what they are shown. */
async function scene({ place, skip, onTestFinished }: Given, options: AuthorizationServerOptions = {}) {
  skip(!isBrowserHere, "chromium is not here; install it, as in: apt-get install chromium");
  const authority = await serveAuthorization(options);
  onTestFinished(() => authority.close());
  const server = await serveProtected(authority.issuer);
  onTestFinished(() => server.close());
  const opened = openedPages(place);
  const run = place.command("run", "notes", "--url", server.url.href);
  return {
    ...{ authority, server, opened },
    /** A host of the server, as its config has it. */
    host: () => place.host(run, opened.env),
    countersign: (...args: readonly string[]) => countersign(place, opened.env, ...args),
    /** Signs in and consents, or not, at the page that was opened with this number. */
    person: async (number: number, consents = true) => signInAt(browser, await opened.page(number), consents),
  };
}

function countersign(place: Place, more: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Ended> {
  const [command = "", ...words] = place.command(...args);
  return new Promise((resolve) => {
    const options = { env: { ...place.env, ...more }, cwd: place.folder };
    execFile(command, words, options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    }).stdin?.end();
  });
}

/** What is kept of the sign-in, where no keychain is. */
function keptIn(place: Place): Record<string, string> {
  const folder = join(place.folder, "state", "countersign", "sign-ins");
  const name = readdirSync(folder).find((file) => file.endsWith(".tokens")) ?? "";
  expect((statSync(join(folder, name)).mode & 0o777).toString(8)).toBe("600");
  return JSON.parse(readFileSync(join(folder, name), "utf8"));
}

/** A handshake and a list, which a person may have to sign in for. */
async function listed(host: RawHost): Promise<readonly string[] | undefined> {
  await host.initialize({ milliseconds: 50_000 });
  return toolNames(await host.ask("tools/list", {}, 50_000));
}

const tools = ["read_note", "write_note"];

describe("a server at a URL that asks who you are", () => {
  test("is signed in to in a browser, by the verb, and used by run from then on [sign-in.verb]", async ({
    place,
    skip,
    onTestFinished,
  }) => {
    const { authority, server, opened, host, countersign, person } = await scene({ place, skip, onTestFinished });
    const done = countersign("sign-in", "notes", "--url", server.url.href);
    expect(await person(1)).toContain("Signed in");
    const { code, stdout, stderr } = await done;
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining(`notes: signed in at ${server.url.href} by ${authority.issuer}`),
    ]);
    // Before the browser opened.
    expect(stderr).toMatch(
      /^notes: sign in[^\n]*\n {2}server {3}http[^\n]*\n {2}issuer {3}http[^\n]*\n {2}scope {4}notes\.read offline_access\n/,
    );
    expect(stderr).toContain(opened.all()[0]);
    const page = new URL(opened.all()[0] ?? "");
    expect(page.origin).toBe(authority.issuer);
    expect(Object.fromEntries(page.searchParams)).toMatchObject({
      resource: server.url.href,
      code_challenge_method: "S256",
    });
    const kept = keptIn(place);
    for (const secret of [kept["accessToken"], kept["refreshToken"]]) {
      expect(secret).toMatch(/.{20}/);
      expect(stdout + stderr).not.toContain(secret);
    }
    const first = host();
    await listed(first);
    await first.end();
    await approve(place, "notes");
    expect(await listed(host())).toEqual(tools);
    expect(server.refused).toEqual([]);
    expect(opened.all()).toHaveLength(1);
  });

  test("is signed in to by run itself, once for all processes [sign-in.run]", async ({
    place,
    skip,
    onTestFinished,
  }) => {
    const { opened, host, person, server } = await scene({ place, skip, onTestFinished });
    const hosts = [host(), host(), host()];
    const lists = hosts.map(listed);
    expect(await person(1)).toContain("Signed in");
    expect(await Promise.all(lists)).toEqual([[], [], []]);
    expect(opened.all()).toHaveLength(1);
    expect(server.taken.size).toBe(1);
    expect(hosts.filter(({ stderr }) => stderr.includes("countersign: notes: signed in by"))).toHaveLength(1);
    for (const { stderr } of hosts) expect(stderr).not.toContain([...server.taken][0]);
    await Promise.all(hosts.map((one) => one.end()));
    await approve(place, "notes");
    expect(await listed(host())).toEqual(tools);
    expect(opened.all()).toHaveLength(1);
  });

  test("gets a fresh token before the old one is over, and after the restart of its host [sign-in.refreshed]", async ({
    place,
    skip,
    onTestFinished,
  }) => {
    const { authority, server, opened, host, person } = await scene({ place, skip, onTestFinished }, { lifetime: 2 });
    const first = host();
    const list = listed(first);
    await person(1);
    await list;
    await first.end();
    await approve(place, "notes");
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    const second = host();
    expect(await listed(second)).toEqual(tools);
    expect(await second.ask("tools/call", { name: "read_note", arguments: {} })).toMatchObject({
      result: { content: [{ text: "read_note done" }] },
    });
    expect(opened.all()).toHaveLength(1);
    const [, ...refreshes] = authority.grants;
    expect(refreshes.length).toBeGreaterThan(0);
    for (const { params, status } of refreshes) {
      expect(params).toMatchObject({ grant_type: "refresh_token", resource: server.url.href });
      expect(status).toBe(200);
    }
  });

  test("needs somebody to sign in when its tokens are revoked [sign-in.revoked]", async ({
    place,
    skip,
    onTestFinished,
  }) => {
    const { authority, server, opened, host, person } = await scene({ place, skip, onTestFinished });
    const first = host();
    const list = listed(first);
    await person(1);
    await list;
    await first.end();
    await approve(place, "notes");
    server.refuseAll();
    await authority.revoke(keptIn(place)["refreshToken"] ?? "");
    const second = host();
    const again = listed(second);
    expect(await person(2)).toContain("Signed in");
    expect(await again).toEqual(tools);
    expect(authority.grants.map(({ params, status }) => [params["grant_type"], status])).toEqual([
      ["authorization_code", 200],
      ["refresh_token", 400],
      ["authorization_code", 200],
    ]);
    expect(opened.all()).toHaveLength(2);
  });

  test("gets no token that was issued for another [sign-in.audience]", async ({ place, skip, onTestFinished }) => {
    const { authority, server, countersign, person } = await scene(
      { place, skip, onTestFinished },
      {
        audience: () => "https://bank.example/api",
      },
    );
    const done = countersign("sign-in", "notes", "--url", server.url.href);
    expect(await person(1)).toContain("Not signed in");
    expect(await done).toEqual({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining(
        `Cannot sign in to notes: ${authority.issuer} issued a token for somebody else, "https://bank.example/api"; it was not kept`,
      ),
    });
    expect(server.taken.size).toBe(0);
    expect(() => keptIn(place)).toThrow();
  });

  test("is not asked for again and again where it refuses the token that it has just been given", async ({
    place,
    skip,
    onTestFinished,
  }) => {
    const { opened, host, person, server } = await scene(
      { place, skip, onTestFinished },
      { audience: () => "urn:another" },
    );
    const one = host();
    const answer = one.initialize({ milliseconds: 50_000 });
    await person(1);
    expect(await answer).toMatchObject({ error: { code: expect.any(Number) } });
    expect(one.stderr).toContain("needs sign-in: the server refused a token that had just been issued for it");
    expect(server.refused.length).toBeGreaterThan(0);
    expect(opened.all()).toHaveLength(1);
  });

  test("is not used where the person denies it [sign-in.denied]", async ({ place, skip, onTestFinished }) => {
    const { authority, server, opened, host, countersign, person } = await scene({ place, skip, onTestFinished });
    const done = countersign("sign-in", "notes", "--url", server.url.href);
    expect(await person(1, false)).toContain("Not signed in");
    expect(await done).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`Cannot sign in to notes: ${authority.issuer} gave no consent (access_denied)`),
    });
    const one = host();
    const answer = one.initialize({ milliseconds: 50_000 });
    await person(2, false);
    expect(await answer).toMatchObject({ error: { code: expect.any(Number) } });
    expect(await one.ask("tools/list", {}, 20_000)).toMatchObject({ error: { code: expect.any(Number) } });
    expect(one.stderr).toContain(`needs sign-in: ${authority.issuer} gave no consent (access_denied)`);
    expect(opened.all()).toHaveLength(2);
    expect(authority.grants).toEqual([]);
  });

  test("may ask for more, and the person consents to that too [sign-in.more-scope]", async ({
    place,
    skip,
    onTestFinished,
  }) => {
    const { opened, host, person } = await scene({ place, skip, onTestFinished });
    const first = host();
    const list = listed(first);
    await person(1);
    await list;
    await first.end();
    await approve(place, "notes");
    const second = host();
    expect(await listed(second)).toEqual(tools);
    const call = second.ask("tools/call", { name: "write_note", arguments: {} }, 50_000);
    expect(await person(2)).toContain("Signed in");
    expect(await call).toMatchObject({ result: { content: [{ text: "write_note done" }] } });
    expect(new URL(opened.all()[1] ?? "").searchParams.get("scope")?.split(" ").sort()).toEqual([
      "notes.read",
      "notes.write",
      "offline_access",
    ]);
  });

  test("is signed out of: its tokens are revoked and forgotten [sign-in.out]", async ({
    place,
    skip,
    onTestFinished,
  }) => {
    const { authority, server, opened, host, countersign, person } = await scene({ place, skip, onTestFinished });
    const first = host();
    const list = listed(first);
    await person(1);
    await list;
    const { refreshToken = "" } = keptIn(place);
    expect(await authority.isValid(refreshToken)).toBe(true);
    expect(await countersign("sign-out", "notes")).toEqual({
      code: 0,
      // It is a JWT.
      stdout: expect.stringContaining(
        `notes: signed out of ${server.url.href}; its tokens were revoked at ${authority.issuer}, but for the last access token`,
      ),
      stderr: "",
    });
    expect(await authority.isValid(refreshToken)).toBe(false);
    expect(() => keptIn(place)).toThrow();
    expect((await countersign("sign-out", "notes")).stdout).toBe("notes: nobody was signed in\n");
    // The host that runs has no token any more either.
    const again = first.ask("tools/list", {}, 50_000);
    await person(2);
    expect(await again).toMatchObject({ result: { tools: [] } });
    expect(opened.all()).toHaveLength(2);
  });

  test("is waited for no longer than its host is there [sign-in.run]", async ({ place, skip, onTestFinished }) => {
    const { opened, host } = await scene({ place, skip, onTestFinished });
    const one = host();
    one.send({ id: 1, method: "initialize", params: {} });
    const page = new URL(await opened.page(1));
    expect(await one.end()).toEqual({ code: 0, signal: null });
    // Nobody listens for the answer any more.
    await expect(fetch(page.searchParams.get("redirect_uri") ?? "")).rejects.toThrow();
  });

  test("is sent no token that others can read [sign-in.unsafe]", async ({ place, skip, onTestFinished }) => {
    const { server, host, person } = await scene({ place, skip, onTestFinished });
    const first = host();
    const list = listed(first);
    await person(1);
    await list;
    await first.end();
    const folder = join(place.folder, "state", "countersign", "sign-ins");
    for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644);
    const before = server.requests();
    const second = host();
    expect(await second.initialize({ milliseconds: 20_000 })).toMatchObject({ error: { code: expect.any(Number) } });
    expect(second.stderr).toMatch(/needs sign-in: "[^"]*" is open to other accounts, so it is not used/);
    expect(server.requests()).toBe(before);
  });

  test("without a browser there is the address, for whoever opens it [sign-in.no-browser]", async ({
    place,
    skip,
    onTestFinished,
  }) => {
    const { server, opened } = await scene({ place, skip, onTestFinished });
    const one = place.host(place.command("run", "notes", "--url", server.url.href, "--no-browser"), opened.env);
    const list = listed(one);
    await eventually(20_000, () => /^http:.*\/auth\?/m.test(one.stderr));
    expect(await signInAt(browser, /^http:.*\/auth\?.*$/m.exec(one.stderr)?.[0] ?? "", true)).toContain("Signed in");
    expect(await list).toEqual([]);
    expect(opened.all()).toEqual([]);
  });
});

describe("countersign sign-in", () => {
  test("knows the URL from the command line, the config or the ledger [sign-in.where]", async ({
    place,
    onTestFinished,
  }) => {
    const unknown = await place.countersign("sign-in", "notes");
    expect(unknown).toMatchObject({ code: 3, stderr: expect.stringContaining("give one, as in: countersign sign-in") });
    const server = await serveHttp(buildNotes);
    onTestFinished(() => server.close());
    const { origin } = server.url;
    const nowhere = (at: string) => `Cannot sign in to notes: ${at} says of no authorization server`;
    const host = place.host(place.command("run", "notes", "--url", `${origin}/ledger`, "--no-browser"));
    expect(await listed(host)).toEqual([]);
    await host.end();
    const pinned = await place.countersign("sign-in", "notes");
    expect(pinned).toMatchObject({ code: 1, stderr: expect.stringContaining(nowhere(origin)) });
    place.write("config/countersign/countersign.jsonc", { servers: { notes: { url: "http://127.0.0.1:1/mcp" } } });
    const configured = await place.countersign("sign-in", "notes");
    expect(configured).toMatchObject({ code: 4, stderr: expect.stringContaining("http://127.0.0.1:1/") });
    const given = await place.countersign("sign-in", "notes", "--url", `${origin}/given`);
    expect(given.stderr).toContain(nowhere(origin));
    for (const url of ["http://mcp.example.com/mcp", "ftp://a", "https://user:secret@a.example/"]) {
      const { code, stderr } = await place.countersign("sign-in", "notes", "--url", url);
      expect([code, stderr]).toEqual([3, expect.stringContaining("Cannot sign in to notes at")]);
    }
  });
});

describe("a hostile server", { concurrent: true }, () => {
  /** It names an issuer, itself, whose authorization endpoint is what a test says. */
  async function hostile(onTestFinished: Finally, endpoint: string): Promise<string> {
    const server = createServer((request, response) => {
      const { port } = server.address() as AddressInfo;
      const issuer = `http://127.0.0.1:${port}`;
      const documents = new Map<string, unknown>([
        ["/.well-known/oauth-protected-resource/mcp", { resource: `${issuer}/mcp`, authorization_servers: [issuer] }],
        [
          "/.well-known/oauth-authorization-server",
          {
            ...{ issuer, authorization_endpoint: endpoint, token_endpoint: `${issuer}/token` },
            ...{ registration_endpoint: `${issuer}/register`, response_types_supported: ["code"] },
            code_challenge_methods_supported: ["S256"],
          },
        ],
        ["/register", { client_id: "x", redirect_uris: [] }],
      ]);
      const document = documents.get(request.url ?? "");
      if (document === undefined) response.writeHead(401, { "www-authenticate": "Bearer" }).end();
      else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document));
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  }

  for (const endpoint of [
    "javascript:alert(document.domain)",
    "file:///etc/passwd",
    "--help",
    "x-terminal://run?\u001b[31m\u202e",
    "http://login.example.com/authorize",
    "https://user:password@login.example.com/authorize",
    "https://login.example.com/$(touch pwned)",
    `https://login.example.com/${"a".repeat(100_000)}`,
  ]) {
    test(`has nothing opened that it names: ${JSON.stringify(endpoint.slice(0, 50))} [sign-in.nothing-opened]`, async ({
      place,
      onTestFinished,
    }) => {
      const url = await hostile(onTestFinished, endpoint);
      const opened = openedPages(place);
      const { code, stdout, stderr } = await countersign(place, opened.env, "sign-in", "notes", "--url", url);
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toMatch(/^countersign: Cannot sign in to notes: [ -~⟦⟧…“”]+\n$/);
      expect(stderr.length).toBeLessThan(800);
      expect([opened.all(), existsSync(join(place.folder, "pwned"))]).toEqual([[], false]);
      // Nor by `run`, which then says what to do.
      const host = place.host(place.command("run", "notes", "--url", url), opened.env);
      expect(await host.initialize({ milliseconds: 20_000 })).toMatchObject({ error: { code: expect.any(Number) } });
      expect(host.stderr).toMatch(/needs sign-in: .*; run "countersign sign-in notes --url http:/);
      expect(opened.all()).toEqual([]);
    });
  }
});
