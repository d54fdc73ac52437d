import { describe, expect, test } from "vitest";
import { remoteWords } from "../../wrapping/remote-words.ts";
import type { Entry } from "../entry.ts";
import { guardedBy } from "../guarded-by.ts";
import type { Format, HostFile } from "../host.ts";
import type { HostId } from "../host-id.ts";
import { hostOf } from "../hosts.ts";
import { readHostFile } from "../read-host-file.ts";
import { editEntry } from "./edit-entry.ts";
import type { WasRemote } from "./remote-entry.ts";
import { wasRemoteOf } from "./was-of.ts";
import type { Guard } from "./wrap-entry.ts";

const guard: Guard = ["/usr/bin/node", "/opt/countersign/dist/bin.js", "run", "far"];
const ref = (name: string) => `\${${name}}`;

function fileOf(host: HostId, format: Format): HostFile {
  const surroundings = { platform: "linux", home: "/home/me", cwd: "/home/me/work", env: new Map() } as const;
  const file = hostOf(host)
    .files(surroundings)
    .find((one) => one.format === format || (format === "json" && one.format === "jsonc"));
  if (file === undefined) throw new Error(`${host} has no file of ${format}`);
  return file;
}

function theEntry(host: HostId, file: HostFile, text: string): Entry {
  const { entries } = readHostFile(hostOf(host), file, Buffer.from(text));
  const [entry] = entries.filter(({ name }) => name === "far");
  if (entry === undefined) throw new Error(`no entry in ${text}`);
  return entry;
}

function wrapped(host: HostId, file: HostFile, text: string): { text: string; was: WasRemote | undefined } | string {
  const entry = theEntry(host, file, text);
  if (entry.reach.is !== "remote") throw new Error("no URL");
  const wrapping = { guard, ...remoteWords(entry.reach) };
  const [command, ...args] = [...guard, ...wrapping.words];
  const was = wasRemoteOf(entry, text, wrapping);
  const edited = editEntry(
    hostOf(host),
    entry,
    text,
    { is: "wrap-remote", ...wrapping },
    { command, args, env: wrapping.env },
  );
  return edited.is === "edited" ? { text: edited.text, was } : edited.because;
}

function unwrapped(host: HostId, file: HostFile, text: string, was?: WasRemote): string {
  const entry = theEntry(host, file, text);
  const behind = guardedBy(entry)?.behind;
  if (behind?.is !== "remote") throw new Error(`not guarded: ${text}`);
  const meant = { url: behind.url, headers: behind.headers };
  const { transport } = behind;
  const change = { is: "unwrap-remote", behind: meant, transport, ...(was === undefined ? {} : { was }) } as const;
  const edited = editEntry(hostOf(host), entry, text, change, meant);
  return edited.is === "edited" ? edited.text : edited.because;
}

const cases: readonly (readonly [string, HostId, Format, string])[] = [
  ["one line", "cursor", "json", '{"mcpServers":{"far":{"url":"https://a.test/mcp"}}}'],
  [
    "headers",
    "claude-code",
    "json",
    `{\n  "mcpServers": {\n    "far": {\n      "type": "http",\n      "url": "https://a.test/mcp",\n      "headers": {\n        "Authorization": "Bearer ${ref("TOKEN")}",\n        "X-Region": "eu"\n      }\n    },\n    "other": { "command": "true" }\n  }\n}\n`,
  ],
  [
    "plain headers first",
    "claude-code",
    "json",
    '{ "mcpServers": { "far": { "headers": { "X-Region": "eu" }, "type": "sse", "url": "https://a.test/sse" } } }',
  ],
  [
    "comments, and members of the host's own",
    "vscode",
    "jsonc",
    `{\n\t// mine\n\t"servers": {\n\t\t"far": {\n\t\t\t"url": "https://a.test/mcp", // there\n\t\t\t"type": "http",\n\t\t\t"headers": { "x-api-key": "${ref("input:key")}" },\n\t\t\t"disabled": false,\n\t\t},\n\t},\n}\n`,
  ],
  [
    "another key",
    "gemini-cli",
    "json",
    '{"mcpServers": {"far": {"httpUrl": "https://a.test/mcp", "trust": false, "timeout": 5000}}}',
  ],
  [
    "an array of all words",
    "opencode",
    "jsonc",
    '{"mcp": {"far": {"type": "remote", "url": "https://a.test/mcp", "enabled": true, "headers": {"Authorization": "Bearer {env:T}"}}}}',
  ],
  [
    "TOML",
    "codex",
    "toml",
    'model = "x"\n\n[mcp_servers.far]\nurl = "https://a.test/mcp" # there\nhttp_headers = { "X-Region" = "eu", "Authorization" = "abc" }\nstartup_timeout_sec = 20\n',
  ],
  [
    "YAML",
    "goose",
    "yaml",
    "extensions:\n  far:\n    type: streamable_http\n    uri: https://a.test/mcp\n    enabled: true\n    headers:\n      Authorization: Bearer abc\n    timeout: 300\n",
  ],
];

describe("[wrap.remote] an entry with a URL", () => {
  test.each(cases)("gets the gate in its place, and its bytes back: %s", (_what, host, format, text) => {
    const file = fileOf(host, format);
    const before = theEntry(host, file, text);
    const now = wrapped(host, file, text);
    if (typeof now === "string") throw new Error(now);
    const after = theEntry(host, file, now.text);
    const guarded = guardedBy(after);
    if (before.reach.is !== "remote" || guarded?.behind.is !== "remote" || after.reach.is !== "stdio")
      throw new Error(now.text);
    expect([guarded.server, guarded.behind.url, [...guarded.behind.headers].sort()]).toEqual([
      "far",
      before.reach.url,
      [...before.reach.headers].sort(),
    ]);
    expect(after.enabled).toBe(before.enabled);
    // What may be a secret is on no command line.
    for (const [name, value] of before.reach.headers)
      if (name !== "X-Region") expect(after.reach.args.join(" ")).not.toContain(value);
    expect(unwrapped(host, file, now.text, now.was)).toBe(text);
  });

  test.each(cases)(
    "gets its URL back when somebody changed it meanwhile, or nothing is known of it: %s",
    (_what, host, format, text) => {
      const file = fileOf(host, format);
      const before = theEntry(host, file, text);
      const now = wrapped(host, file, text);
      if (typeof now === "string") throw new Error(now);
      const changed = now.text.replaceAll("https://a.test/", "https://b.test/");
      for (const was of [now.was, undefined]) {
        const { reach } = theEntry(host, file, unwrapped(host, file, changed, was));
        if (reach.is !== "remote" || before.reach.is !== "remote") throw new Error("no URL");
        expect(reach.url).toBe(before.reach.url.replace("a.test", "b.test"));
        expect([...reach.headers].sort()).toEqual([...before.reach.headers].sort());
      }
    },
  );

  test.each<[string, HostId, Format, string]>([
    [
      "a token in a member of its own",
      "codex",
      "toml",
      '[mcp_servers.far]\nurl = "https://a.test/mcp"\nbearer_token_env_var = "T"\n',
    ],
    [
      "a helper that makes headers",
      "claude-code",
      "json",
      '{"mcpServers": {"far": {"url": "https://a.test/", "type": "http", "headersHelper": "x"}}}',
    ],
    ["variables already", "cursor", "json", '{"mcpServers": {"far": {"url": "https://a.test/", "env": {"A": "b"}}}}'],
    [
      "two URLs",
      "cursor",
      "json",
      '{"mcpServers": {"far": {"url": "https://a.test/", "serverUrl": "https://b.test/"}}}',
    ],
  ])("is left alone where it has %s", (_what, host, format, text) => {
    expect(wrapped(host, fileOf(host, format), text)).toBe("CANNOT_EDIT");
  });
});
