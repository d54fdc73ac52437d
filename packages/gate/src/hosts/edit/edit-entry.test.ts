import { describe, expect, test } from "vitest";
import type { Entry } from "../entry.ts";
import { guardedBy } from "../guarded-by.ts";
import type { Format, HostFile, ServerList } from "../host.ts";
import type { HostId } from "../host-id.ts";
import { hostOf } from "../hosts.ts";
import { readHostFile } from "../read-host-file.ts";
import { editEntry } from "./edit-entry.ts";
import { wasOf } from "./was-of.ts";

const guard = ["/opt/node", "/opt/countersign/dist/bin.js", "run"] as const;

function fileOf(format: Format, lists: readonly ServerList[]): HostFile {
  return { path: "/f", scope: "user", format, lists };
}
const named = (...at: string[]): readonly ServerList[] => [{ at, shape: "named" }];

function entriesOf(host: HostId, file: HostFile, text: string): readonly Entry[] {
  return readHostFile(hostOf(host), file, Buffer.from(text)).entries;
}

/** As `wrap` does it: every entry that can be. */
function wrapAll(host: HostId, file: HostFile, text: string) {
  const was = new Map<string, ReturnType<typeof wasOf>>();
  let now = text;
  for (const one of entriesOf(host, file, text)) {
    const [entry] = entriesOf(host, file, now).filter(({ at }) => JSON.stringify(at) === JSON.stringify(one.at));
    if (entry?.reach.is !== "stdio" || guardedBy(entry) !== undefined) continue;
    const words = [...guard, "s", "--"] as const;
    const line = entry.oddities.some(({ code }) => code === "COMMAND_LINE")
      ? [entry.reach.command, ...entry.reach.args]
      : undefined;
    const meant = { command: words[0], args: [...words.slice(1), entry.reach.command, ...entry.reach.args] };
    const change = { is: "wrap", guard: words, ...(line === undefined ? {} : { line }) } as const;
    const edited = editEntry(hostOf(host), entry, now, change, meant);
    if (edited.is === "refused") throw new Error(`${edited.because}\n${now}`);
    was.set(entry.name, wasOf(entry, now));
    now = edited.text;
  }
  return { text: now, was };
}

function unwrapAll(host: HostId, file: HostFile, text: string, was: ReturnType<typeof wrapAll>["was"] = new Map()) {
  let now = text;
  for (const one of entriesOf(host, file, text)) {
    const [entry] = entriesOf(host, file, now).filter(({ at }) => JSON.stringify(at) === JSON.stringify(one.at));
    const guarded = entry && guardedBy(entry);
    if (entry?.reach.is !== "stdio" || guarded === undefined) continue;
    const { behind } = guarded;
    if (behind.is !== "stdio") continue;
    const count = 1 + entry.reach.args.length - (1 + behind.args.length);
    const known = was.get(entry.name);
    const change = { is: "unwrap", guard: count, ...(known === undefined ? {} : { was: known }) } as const;
    const edited = editEntry(hostOf(host), entry, now, change, behind);
    if (edited.is === "refused") throw new Error(`${edited.because}\n${now}`);
    now = edited.text;
  }
  return now;
}

const cases: readonly (readonly [string, HostId, HostFile, string])[] = [
  [
    "JSON on one line",
    "cursor",
    fileOf("jsonc", named("mcpServers")),
    `{"mcpServers":{"a":{"command":"npx","args":["-y","p"]}}}`,
  ],
  [
    "no args",
    "cursor",
    fileOf("jsonc", named("mcpServers")),
    `{"mcpServers": {"a": {\n  // why\n  "command": "x", // c\r\n  "env": {"A": "1",},\n}}}`,
  ],
  [
    "empty args",
    "cursor",
    fileOf("jsonc", named("mcpServers")),
    `{"mcpServers": {"a": { "command": "x", "args": [ ] }}}`,
  ],
  [
    "a command line",
    "cursor",
    fileOf("jsonc", named("mcpServers")),
    `{"mcpServers": {"a": {"command": "npx -y p"}, "b": {"command": "uvx 'a b'", "args": []}}}`,
  ],
  [
    "an argument a line",
    "cursor",
    fileOf("jsonc", named("mcpServers")),
    `{\n\t"mcpServers": {\n\t\t"__proto__": {\n\t\t\t"command": "npx",\n\t\t\t"args": [\n\t\t\t\t// first\n\t\t\t\t"-y",\n\t\t\t\t8080, // port\n\t\t\t]\n\t\t}\n\t}\n}\n`,
  ],
  [
    "an array",
    "opencode",
    fileOf("jsonc", named("mcp")),
    `{"mcp": {"a": {"type": "local", "command": ["npx", "-y", "p"], "environment": {}}}}`,
  ],
  [
    "a nested transport",
    "cline",
    fileOf("jsonc", named("mcpServers")),
    `{"mcpServers": {"a": {"transport": {"type": "stdio", "command": "npx", "args": ["p"]}}}}`,
  ],
  [
    "an older Zed",
    "zed",
    fileOf("jsonc", named("context_servers")),
    `{"context_servers": {"a": {"source": "custom", "command": {"path": "npx", "args": ["p"], "env": {"A": "b"}}}}}`,
  ],
  [
    "two equal keys",
    "cursor",
    fileOf("jsonc", named("mcpServers")),
    `{"mcpServers": {"a": {"command": "no", "command": "yes", "args": []}}}`,
  ],
  [
    "TOML",
    "codex",
    fileOf("toml", named("mcp_servers")),
    `# mine\r\nmodel = "x"\r\n\r\n[mcp_servers.a] # a\r\ncommand = 'npx'   # c\r\nargs = [ "-y", # yes\r\n  "p", ]\r\n[mcp_servers.a.env]\r\nA = "1"\r\n`,
  ],
  [
    "TOML without args",
    "codex",
    fileOf("toml", named("mcp_servers")),
    `[mcp_servers."com.x/y"]\n  command = "a"\n[mcp_servers]\nz = { command = "q", enabled = true }\nd.command = "n"`,
  ],
  [
    "TOML inline",
    "codex",
    fileOf("toml", named("mcp_servers")),
    `mcp_servers = { a = { command = "q", args = ["1"] } }`,
  ],
  [
    "YAML",
    "goose",
    fileOf("yaml", named("extensions")),
    `extensions:\n  a:\n    cmd: npx # c\n    args:\n      - -y # yes\n      # p\n      - p\n    envs: {A: b}\n    enabled: true\n  b: {cmd: 'x', args: [a, "b",]}\n  c:\n    cmd: y`,
  ],
  [
    "a YAML list",
    "continue",
    fileOf("yaml", [{ at: ["mcpServers"], shape: "listed" }]),
    `mcpServers:\n- name: a\n  command: npx\n  args:\n  - -y\n  - p\n- command: solo\n  name: b\n\n- {name: c, command: a}\n`,
  ],
];

describe("editEntry()", () => {
  test.each(cases)("wraps and unwraps %s, to the byte", (_, host, file, text) => {
    const before = entriesOf(host, file, text);
    expect(before.length).toBeGreaterThan(0);
    const { text: wrapped, was } = wrapAll(host, file, text);
    expect(entriesOf(host, file, wrapped).every((entry) => guardedBy(entry)?.server === "s")).toBe(true);
    expect(wrapAll(host, file, wrapped).text).toBe(wrapped);
    expect(unwrapAll(host, file, wrapped, was)).toBe(text);
    // Without a record, on another machine: the same servers, if not the same spelling.
    const reaches = entriesOf(host, file, unwrapAll(host, file, wrapped)).map(({ name, reach }) => ({ name, reach }));
    expect(reaches).toEqual(before.map(({ name, reach }) => ({ name, reach })));
  });
});
