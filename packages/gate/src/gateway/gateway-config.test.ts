import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ownPathOf } from "../project/repository.ts";
import { configTrust, giveTrust } from "../project/trust.ts";
import { parseConfig } from "../read-config.ts";
import { gatewayConfig } from "./gateway-config.ts";

/** How a config writes a variable. */
function v(name: string): string {
  return `$\u007b${name}}`;
}

let folder: string;
const before = process.cwd();

beforeEach(() => {
  folder = ownPathOf(mkdtempSync(join(tmpdir(), "countersign-config-")));
  mkdirSync(join(folder, "elsewhere"));
  process.chdir(join(folder, "elsewhere"));
  vi.stubEnv("XDG_CONFIG_HOME", join(folder, "config"));
  vi.stubEnv("XDG_STATE_HOME", join(folder, "state"));
});

afterEach(() => {
  process.chdir(before);
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

function write(name: string, config: unknown): string {
  const path = join(folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, typeof config === "string" ? config : JSON.stringify(config));
  return path;
}

const own = "config/countersign/countersign.jsonc";

describe("gatewayConfig()", () => {
  test("makes of the config what is served, with what is not said left as it is safe [operate.config]", async () => {
    write(own, {
      servers: {
        files: {
          command: "npx",
          args: ["-y", "some-server"],
          env: { TOKEN: v("TOKEN") },
          cwd: "/srv",
          share: "everyone",
        },
        plain: { command: "server" },
        remote: { url: `https://api.example/mcp?key=${v("KEY")}`, headers: { Authorization: `Bearer ${v("TOKEN")}` } },
        run: { trusted: true },
      },
      gateway: { listen: "[::1]:0", hosts: ["MCP.example.com"], origins: ["https://chat.example.com"] },
    });
    const { settings, of, foreign } = await gatewayConfig(undefined);
    expect(settings).toMatchObject({
      listen: { host: "::1", port: 0 },
      hosts: ["mcp.example.com"],
      origins: ["https://chat.example.com"],
      ...{ anonymous: false, behindTlsProxy: false, log: "text" },
    });
    expect([...settings.servers]).toEqual([
      [
        "files",
        {
          ...{ is: "stdio", command: "npx", args: ["-y", "some-server"], cwd: "/srv", share: "everyone" },
          env: new Map([["TOKEN", v("TOKEN")]]),
        },
      ],
      ["plain", { is: "stdio", command: "server", args: [], env: new Map(), share: "principal" }],
      [
        "remote",
        {
          ...{
            is: "http",
            url: `https://api.example/mcp?key=${v("KEY")}`,
            transport: "auto",
            passToken: false,
            shareSignIn: false,
          },
          headers: new Map([["authorization", `Bearer ${v("TOKEN")}`]]),
        },
      ],
    ]);
    expect([...of.keys()]).toEqual(["files", "plain", "remote"]);
    expect(foreign).toEqual([]);
  });

  test("takes no server from a project, trusted or not, and says so [operate.foreign]", async () => {
    write(own, { servers: { mine: { command: "mine" } } });
    const project = write("project/countersign.jsonc", {
      servers: { mine: { url: "https://evil.example/mcp", strict: true }, theirs: { command: "evil" } },
      gateway: { listen: "0.0.0.0:7420", anonymous: true },
    });
    mkdirSync(join(folder, "project/.git"));
    process.chdir(join(folder, "project"));
    for (const trusted of [false, true]) {
      if (trusted) await giveTrust(configTrust(project, readFileSync(project)), "me");
      const { settings, of, foreign } = await gatewayConfig(undefined);
      expect([...settings.servers.keys()]).toEqual(["mine"]);
      expect(settings).toMatchObject({ listen: { host: "127.0.0.1" }, anonymous: false });
      // What a project may say, it may say here too.
      expect([...of.values()].map(({ policy }) => policy.strict)).toEqual([true]);
      expect(foreign).toEqual([
        {
          path: project,
          settings: ["servers.mine.url", "servers.theirs.command", "gateway.listen", "gateway.anonymous"],
        },
      ]);
    }
  });

  test("takes those of a file that was named and lies in a repository once it is trusted [operate.foreign]", async () => {
    write(own, { servers: { mine: { command: "mine" } } });
    const named = write("repository/gateway.jsonc", { servers: { shared: { command: "shared" } } });
    mkdirSync(join(folder, "repository/.git"));
    const untrusted = await gatewayConfig(named);
    expect([...untrusted.settings.servers.keys()]).toEqual(["mine"]);
    expect(untrusted.foreign).toEqual([{ path: named, settings: ["servers.shared.command"] }]);
    await giveTrust(configTrust(named, readFileSync(named)), "me");
    const trusted = await gatewayConfig(named);
    expect([...trusted.settings.servers.keys()]).toEqual(["shared"]);
    expect(trusted).toMatchObject({ path: named, foreign: [] });
  });

  test("takes a file that was named and lies in no repository instead of the user's [operate.config]", async () => {
    write(own, { servers: { mine: { command: "mine" } } });
    const named = write("etc/gateway.jsonc", { servers: { named: { command: "named" } } });
    expect([...(await gatewayConfig(named)).settings.servers.keys()]).toEqual(["named"]);
  });
});

function problemsIn(text: string): readonly string[] {
  const parsed = parseConfig(text);
  return parsed.is === "broken" ? parsed.problems : [];
}

describe("parseConfig()", () => {
  test("names all that is wrong with servers and the gateway, each at its place [operate.config]", () => {
    const text = `{ "servers": {
      "a": { "command": "npx", "url": "http://example.com/mcp" },
      "b": { "args": ["x"], "headers": { "Host": "x", "Good": "é" } },
      "c": { "url": "https://${v("H")}/x", "passToken": true, "share": "all",
             "headers": { "authorization": "x" } } },
    "gateway": { "listen": "nowhere", "hosts": ["http://x"], "origins": ["https://a/b"],
                 "tls": { "cert": "x" }, "what": 1 } }`;
    expect(problemsIn(text)).toEqual([
      "2:39: servers.a.url: plain http, which is for this machine only; use https",
      "2:39: servers.a.url: a server has a command or a url, not both",
      "3:50: servers.b.headers.Host: a header that the gateway writes by itself",
      "3:63: servers.b.headers.Good: a value that no header can have: control characters, or beyond ASCII",
      "3:22: servers.b.args: says nothing without a command",
      "3:40: servers.b.headers: says nothing without a url",
      expect.stringMatching(/^4:67: servers.c.share: Invalid option/),
      "4:21: servers.c.url: has a variable in the name of its host; one may stand behind that only",
      "4:67: servers.c.share: says nothing without a command",
      "4:52: servers.c.passToken: the headers hold an Authorization already, and there is one only",
      expect.stringMatching(/^6:28: gateway.listen: not where to listen/),
      expect.stringMatching(/^6:49: gateway.hosts.0: no name of a host/),
      expect.stringMatching(/^6:74: gateway.origins.0: no origin of a web page/),
      "7:35: gateway.tls.cert: not an absolute path",
      expect.stringMatching(/^7:25: gateway.tls.key: /),
      expect.stringMatching(/^6:16: gateway: Unrecognized key/),
    ]);
  });

  test("refuses __proto__ where it would be left out without a word [operate.config]", () => {
    for (const config of [
      '{ "servers": { "__proto__": { "command": "x" } } }',
      '{ "servers": { "a": { "command": "x", "env": { "__proto__": "x" } } } }',
      '{ "servers": { "a": { "url": "https://a/", "headers": { "__proto__": "x" } } } }',
    ]) {
      expect(problemsIn(config)).toEqual([expect.stringMatching(/^1:\d+: "__proto__" is no name/)]);
    }
    const narrowed = { type: "object", properties: JSON.parse('{ "__proto__": { "type": "string" } }') };
    expect(problemsIn(JSON.stringify({ servers: { a: { definitions: { "tool t": { narrow: narrowed } } } } }))).toEqual(
      [],
    );
  });
});
