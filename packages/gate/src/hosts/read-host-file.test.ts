import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Format, HostFile, ServerList } from "./host.ts";
import type { HostId } from "./host-id.ts";
import { hostOf } from "./hosts.ts";
import { anyShape, listAt, wrapped } from "./lists.ts";
import { readHostFile } from "./read-host-file.ts";

function read(
  text: string | Uint8Array,
  options: { host?: HostId; format?: Format; lists?: readonly ServerList[] } = {},
) {
  const { host = "claude-code", format = "jsonc", lists = wrapped } = options;
  const file: HostFile = { path: "/f", scope: "user", format, lists };
  return readHostFile(hostOf(host), file, typeof text === "string" ? Buffer.from(text) : text);
}

const one = (entry: unknown) => read(JSON.stringify({ mcpServers: { it: entry } })).entries[0];
const codes = (text: string) => read(text).problems.map(({ code, line, column }) => [code, line, column]);

describe("readHostFile()", () => {
  test("strips a byte order mark and counts lines over CRLF", () => {
    const { entries, problems } = read(
      '\uFEFF{\r\n  "mcpServers": {\r\n    "a": {"command": "x"},\r\n    "b": {"command": "y"}\r\n  }\r\n}',
    );
    expect(entries.map(({ name, line, at }) => [name, line, at])).toEqual([
      ["a", 3, ["mcpServers", "a"]],
      ["b", 4, ["mcpServers", "b"]],
    ]);
    expect(problems).toEqual([]);
  });

  test("reads on after an error, says where it is, and marks what it read", () => {
    const { entries, problems } = read('{"mcpServers": {\n  "a": {"command": "x"}\n  "b": {"command": "y"}}}');
    expect(problems).toEqual([
      { host: "claude-code", path: "/f", code: "SYNTAX", line: 3, column: 3, detail: "CommaExpected" },
    ]);
    expect(entries.map(({ name, oddities }) => [name, oddities])).toEqual([
      ["a", [{ code: "BROKEN_FILE" }]],
      ["b", [{ code: "BROKEN_FILE" }]],
    ]);
  });

  test("goes by the last of two equal keys, and says so wherever they stand", () => {
    const { entries, problems } = read(
      '{"mcpServers": {"lost": {"command": "z"}},\n"mcpServers": {"a": {"command": "x"}, "a": {"command": "y", "command": "w"}}}',
    );
    expect(entries.map(({ name, reach, oddities }) => [name, reach, oddities])).toEqual([
      [
        "a",
        { is: "stdio", command: "w", args: [], env: new Map() },
        [
          { code: "DUPLICATE_KEY", key: "a" },
          { code: "DUPLICATE_KEY", key: "command" },
        ],
      ],
    ]);
    expect(problems.map(({ code, line }) => [code, line])).toEqual([["DUPLICATE_KEY", 2]]);
  });

  test("takes every name for a name", () => {
    const names = ["__proto__", "constructor", "com.vendor/x", "a b", "", "../..", "\u202E", "a\u0000b"];
    const text = `{"mcpServers": {${names.map((name) => `${JSON.stringify(name)}: {"command": "x"}`).join()}}}`;
    expect(read(text).entries.map(({ name }) => name)).toEqual(names);
  });

  test("keeps environment variables whatever they are called", () => {
    const { entries } = read(
      '{"mcpServers": {"a": {"command": "x", "env": {"__proto__": "1", "B": 2, "C": true, "D": null}}}}',
    );
    expect(entries[0]?.reach).toEqual({
      ...{ is: "stdio", command: "x", args: [] },
      env: new Map([
        ["__proto__", "1"],
        ["B", "2"],
        ["C", "true"],
      ]),
    });
  });

  test.each([
    ["Claude Code", { mcpServers: { it: { command: "x" } } }, wrapped],
    ["VS Code", { servers: { it: { command: "x" } } }, anyShape],
    ["flat", { it: { command: "x" }, version: 3, about: { text: "y" } }, anyShape],
    ["list", { mcpServers: [{ name: "it", command: "x" }] }, wrapped],
    ["a key with a dot", { "amp.mcpServers": { it: { command: "x" } } }, [listAt("amp.mcpServers")]],
    [
      "any key",
      { projects: { "/a.b": { mcpServers: { it: { command: "x" } } } } },
      [listAt("projects", "*", "mcpServers")],
    ],
  ] as const)("knows the shape of %s", (_what, value, lists) => {
    const { entries, problems } = read(JSON.stringify(value), { lists });
    expect(entries.map(({ name, reach }) => [name, reach.is])).toEqual([["it", "stdio"]]);
    expect(problems).toEqual([]);
  });

  test("does not take the list of an entry's newer form for an entry", () => {
    const value = { mcp: { servers: { it: { type: "local", command: ["a", "b"] } } } };
    const { entries } = read(JSON.stringify(value), {
      host: "opencode",
      lists: [listAt("mcp"), listAt("mcp", "servers")],
    });
    expect(entries.map(({ at }) => at)).toEqual([["mcp", "servers", "it"]]);
    expect(entries[0]?.reach).toMatchObject({ command: "a", args: ["b"] });
  });

  test.each([
    [
      { command: "a", args: ["b", 1] },
      { is: "stdio", command: "a", args: ["b", "1"] },
    ],
    [
      { command: ["a", "b"], environment: { C: "d" } },
      { is: "stdio", command: "a", args: ["b"], env: new Map([["C", "d"]]) },
    ],
    [
      { cmd: "a", args: ["b"], envs: { C: "d" } },
      { is: "stdio", command: "a", env: new Map([["C", "d"]]) },
    ],
    [{ command: { path: "a", args: ["b"], env: { C: "d" } } }, { is: "stdio", command: "a", args: ["b"] }],
    [{ transport: { type: "stdio", command: "a", args: ["b"] } }, { is: "stdio", command: "a", args: ["b"] }],
    [
      { command: "a", cwd: "/w", envFile: ".env" },
      { is: "stdio", cwd: "/w", envFile: ".env" },
    ],
    [{ url: "u" }, { is: "remote", url: "u", transport: "unknown" }],
    [{ serverUrl: "u" }, { is: "remote", url: "u" }],
    [{ httpUrl: "u" }, { is: "remote", url: "u", transport: "http" }],
    [
      { uri: "u", type: "streamable_http" },
      { is: "remote", url: "u", transport: "http" },
    ],
    [
      { url: "u", type: "streamableHttp" },
      { is: "remote", transport: "http" },
    ],
    [
      { url: "u", type: "sse", headers: { A: "b" } },
      { is: "remote", transport: "sse", headers: new Map([["A", "b"]]) },
    ],
    [
      { url: "u", type: "ws" },
      { is: "remote", transport: "ws" },
    ],
    [{ transport: { type: "sse", url: "u" } }, { is: "remote", url: "u", transport: "sse" }],
    [3, { is: "opaque", because: "NOT_AN_OBJECT" }],
    [{}, { is: "opaque", because: "NO_COMMAND" }],
    [{ command: "" }, { is: "opaque", because: "NO_COMMAND" }],
    [{ command: [] }, { is: "opaque", because: "NO_COMMAND" }],
    [{ command: 3 }, { is: "opaque", because: "WRONG_TYPE" }],
    [
      { command: "a", args: "b" },
      { is: "opaque", because: "WRONG_TYPE" },
    ],
    [
      { command: "a", args: [["b"]] },
      { is: "opaque", because: "WRONG_TYPE" },
    ],
    [
      { command: "a", env: ["b"] },
      { is: "opaque", because: "WRONG_TYPE" },
    ],
    [{ url: {} }, { is: "opaque", because: "WRONG_TYPE" }],
  ])("%j", (entry, reach) => expect(one(entry)?.reach).toMatchObject(reach));

  test("a plain url is SSE in Gemini CLI", () => {
    const { entries } = read('{"mcpServers": {"a": {"url": "u"}, "b": {"httpUrl": "u"}}}', { host: "gemini-cli" });
    expect(entries.map(({ reach }) => reach)).toMatchObject([{ transport: "sse" }, { transport: "http" }]);
  });

  test("both a command and a url are odd; the type says which counts, and the command where it does not", () => {
    const both = { command: "a", url: "u" };
    expect(one(both)).toMatchObject({ reach: { is: "stdio" }, oddities: [{ code: "COMMAND_AND_URL" }] });
    expect(one({ ...both, type: "http" })).toMatchObject({
      reach: { is: "remote" },
      oddities: [{ code: "COMMAND_AND_URL" }],
    });
    expect(one({ ...both, type: "stdio" })).toMatchObject({ reach: { is: "stdio" } });
  });

  test.each([
    ["npx -y pkg", ["npx", "-y", "pkg"]],
    [`node "a b.js" 'c d'`, ["node", "a b.js", "c d"]],
    ["  uvx   tool  ", ["uvx", "tool"]],
    ["C:\\Program Files\\nodejs\\node.exe", ["C:\\Program Files\\nodejs\\node.exe"]],
    ["/Applications/My App/server", ["/Applications/My App/server"]],
    ["./my server", ["./my server"]],
    ["node", ["node"]],
  ])("the command %s without args", (command, words) => {
    const entry = one({ command });
    expect(entry?.reach).toMatchObject({ command: words[0], args: words.slice(1) });
    expect(entry?.oddities).toEqual(words.length > 1 ? [{ code: "COMMAND_LINE" }] : []);
  });

  test("a command line that only a shell understands is opaque", () => {
    for (const command of ["npx a | cat", "a; b", "a && b", "echo `x`", "echo $(x)", "a > b"])
      expect(one({ command })?.reach, command).toEqual({ is: "opaque", because: "SHELL" });
  });

  test("what a host would run to read an entry makes it opaque in that host alone", () => {
    const text = '{"mcpServers": {"a": {"command": "x", "env": {"K": "$(op read key)"}}}}';
    expect(read(text, { host: "crush" }).entries[0]?.reach).toEqual({ is: "opaque", because: "SHELL" });
    expect(read(text).entries[0]?.reach.is).toBe("stdio");
  });

  test("says which variable the host does not replace", () => {
    const text = JSON.stringify({ mcpServers: { a: { command: "x", args: ["$" + "{HOME}/x"] } } });
    expect(read(text, { host: "claude-desktop" }).entries[0]?.oddities).toEqual([
      { code: "UNKNOWN_VARIABLE", text: "$" + "{HOME}" },
    ]);
    expect(read(text).entries[0]?.oddities).toEqual([]);
  });

  test.each([
    [{ disabled: true }, false],
    [{ enabled: false }, false],
    [{ isActive: false }, false],
    [{ disabled: false }, true],
    [{ enabled: true }, true],
    [{ disabled: "true" }, true],
    [{}, true],
  ])("%j is enabled: %s", (more, enabled) => expect(one({ command: "x", ...more })?.enabled).toBe(enabled));

  test("a server may be switched off by its name beside the list", () => {
    const servers = { a: { command: "x" }, b: { command: "y" }, c: { command: "z" } };
    const enabled = (host: HostId, value: object, lists: readonly ServerList[] = wrapped) =>
      read(JSON.stringify(value), { host, lists })
        .entries.filter((entry) => entry.enabled)
        .map(({ name }) => name);
    expect(enabled("gemini-cli", { mcpServers: servers, mcp: { excluded: ["b"] } })).toEqual(["a", "c"]);
    expect(enabled("gemini-cli", { mcpServers: servers, mcp: { allowed: ["b"] } })).toEqual(["b"]);
    expect(enabled("cursor", { mcpServers: servers, mcp: { excluded: ["b"] } })).toEqual(["a", "b", "c"]);
    const projects = {
      "/p": { mcpServers: servers, disabledMcpServers: ["a", "b"] },
      "/q": { mcpServers: { a: servers.a } },
    };
    expect(enabled("claude-code", { projects }, [listAt("projects", "*", "mcpServers")])).toEqual(["c", "a"]);
  });

  test("parts of Goose itself are no servers", () => {
    const text = "extensions:\n  developer: {type: builtin, enabled: true}\n  mine: {type: stdio, cmd: a, args: [b]}\n";
    const { entries } = read(text, { host: "goose", format: "yaml", lists: [listAt("extensions")] });
    expect(entries.map(({ name, line }) => [name, line])).toEqual([["mine", 3]]);
  });

  test("TOML: where each table begins, whatever stands in a text before it", () => {
    const text = [
      'notes = """',
      "[mcp_servers.no]",
      '"""',
      "mcp_servers.dotted.command = 'd'",
      '[mcp_servers."a.b"]',
      "command = 'x'",
      "[mcp_servers.env.env]",
      "A = '9223372036854775807'",
      "[mcp_servers.env]",
      "command = 'y'",
    ];
    const { entries, problems } = read(text.join("\n"), {
      host: "codex",
      format: "toml",
      lists: [listAt("mcp_servers")],
    });
    expect(entries.map(({ name, line }) => [name, line])).toEqual([
      ["dotted", 4],
      ["a.b", 5],
      ["env", 7],
    ]);
    expect(problems).toEqual([]);
  });

  test("TOML: an error has a place, and what is twice is one", () => {
    const options = { host: "codex", format: "toml", lists: [listAt("mcp_servers")] } as const;
    expect(read("[mcp_servers.a]\ncommand = 'x'\n[mcp_servers.a]\n", options)).toMatchObject({
      entries: [],
      problems: [{ code: "SYNTAX", line: 3 }],
    });
    expect(read("big = 9223372036854775807\n[mcp_servers.a]\ncommand = 'x'\n", options).entries).toHaveLength(1);
  });

  test("YAML: aliases are read, and a bomb of them is not", () => {
    const options = { host: "continue", format: "yaml", lists: wrapped } as const;
    const text = "base: &base\n  command: x\nmcpServers:\n  a: *base\n  b: {command: y}\n";
    expect(read(text, options).entries.map(({ reach }) => reach)).toMatchObject([{ command: "x" }, { command: "y" }]);
    const bomb = ["a0: &a0 [x]"];
    for (let level = 1; level < 30; level++)
      bomb.push(
        `a${level}: &a${level} [${Array(10)
          .fill(`*a${level - 1}`)
          .join()}]`,
      );
    expect(read(`${bomb.join("\n")}\nmcpServers: {a: {command: x}}\n`, options)).toMatchObject({
      entries: [],
      problems: [{ code: "TOO_LARGE" }],
    });
    expect(read("a: &a [*a]\nmcpServers: {}\n", options).problems.length).toBeGreaterThan(0);
  });

  test("what is nothing but brackets, too many values, or no text is a problem", () => {
    expect(codes("[".repeat(200_000))[0]).toEqual(["TOO_DEEP", undefined, undefined]);
    expect(codes(`[${"0,".repeat(1_100_000)}0]`)[0]).toEqual(["TOO_LARGE", undefined, undefined]);
    expect(read(Buffer.from([0xff, 0xfe, 0x7b, 0x00])).problems[0]?.code).toBe("NOT_UTF8");
    expect(read("").problems).toEqual([]);
    for (const [format, lists] of [
      ["toml", [listAt("a")]],
      ["yaml", [listAt("a")]],
    ] as const) {
      const deep = format === "toml" ? `a = ${"[".repeat(50_000)}` : `a: ${"[".repeat(50_000)}`;
      expect(read(deep, { host: "codex", format, lists }).problems.length, format).toBeGreaterThan(0);
    }
  });

  test("a part that should hold servers and does not is said with its place", () => {
    expect(codes('{\n "mcpServers": "x"}')).toEqual([["WRONG_TYPE", 2, 16]]);
    expect(codes('{"mcpServers": null}')).toEqual([]);
    expect(codes('{"other": 1}')).toEqual([]);
  });

  test("a script is not read", () => {
    expect(read("mcp add x", { host: "crush", format: "shell", lists: [] })).toMatchObject({
      entries: [],
      problems: [{ code: "SHELL" }],
    });
  });

  test("nothing that a file may hold makes it throw, or keeps a good entry from being read", () => {
    const keys = [
      "command",
      "args",
      "env",
      "url",
      "transport",
      "type",
      "disabled",
      "name",
      "cwd",
      "__proto__",
      "mcpServers",
    ];
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<unknown>("x", "npx -y x", "", null, true, 3, "$(x)", "a | b"),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...keys), tie("value"), { maxKeys: 5 }),
      ),
    })).value;
    const formats = [
      ["claude-code", "jsonc", wrapped],
      ["gemini-cli", "json", anyShape],
      ["opencode", "jsonc", [listAt("mcpServers"), listAt("mcpServers", "servers")]],
      ["continue", "yaml", [{ at: ["mcpServers"], shape: "listed" }]],
    ] as const;
    fc.assert(
      fc.property(fc.constantFrom(...formats), fc.dictionary(fc.string(), value), ([host, format, lists], others) => {
        // JSON is YAML, too.
        const text = JSON.stringify({ mcpServers: { ...others, good: { command: "node" } } });
        const { entries } = read(text, { host, format, lists });
        expect(entries.filter(({ name }) => name === "good").map(({ reach }) => reach)).toMatchObject([
          { command: "node" },
        ]);
      }),
      { numRuns: 150 },
    );
    const any = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: fc.constantFrom(..."[]{}\"':=,#&*-\n ab") }));
    fc.assert(
      fc.property(any, fc.constantFrom("jsonc", "toml", "yaml"), (text, format) => {
        for (const one of [text, `mcpServers${format === "toml" ? "." : ": "}${text}`]) read(one, { format });
      }),
      { numRuns: 400 },
    );
  });
});
