import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { asServerName, type Offer, readManifest } from "@countersign/core";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Manifest } from "./format.ts";
import { readManifestAt } from "./read-manifest.ts";
import { type Packed, zipOf } from "./under-test/zip.ts";

/** What a place holds: files by path, or one file where there is no path. */
type Content = Readonly<Record<string, string>>;
type Make = (word: (place: string) => string) => Content;

let folder: string;
let count = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-manifest-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes the files, and reads the manifest at the first path, or at the folder where that ends in `/`. */
async function readAt(path: string, content: Content): Promise<Manifest> {
  const place = join(folder, String(count++));
  for (const [name, text] of Object.entries(content)) {
    const file = join(place, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, name.endsWith(".mcpb") ? zipOf(JSON.parse(text) as Packed[]) : text);
  }
  const reading = await readManifestAt(join(place, path));
  if (reading.is === "refused") throw new Error(JSON.stringify(reading.problem));
  return reading.value;
}

function offerOf({ said }: Manifest): Offer {
  const server = asServerName("m");
  const reading = server === undefined ? undefined : readManifest(server, said);
  if (reading?.is !== "offer") throw new Error("no offer");
  return reading.offer;
}

const one = JSON.stringify;
const bundle = (manifest: object, ...more: Packed[]) =>
  one([
    { name: "manifest.json", content: one(manifest), deflate: true },
    { name: "server/index.js", content: "run()" },
    ...more,
  ]);

/** Of each format one, with a place for every text that a model or a person may be given. */
const cases: readonly (readonly [
  format: Manifest["format"],
  path: string,
  names: readonly string[],
  places: readonly string[],
  make: Make,
])[] = [
  [
    ...([
      "skill",
      "pdf/",
      ["skill pdf"],
      ["description", "tools", "body", "comment", "reference", "script", "own key"],
    ] as const),
    (word) => ({
      "pdf/SKILL.md": `---\nname: pdf # ${word("comment")}\ndescription: ${one(word("description"))}\nallowed-tools: Read, ${word("tools")}\ntext: ${one(word("own key"))}\n---\n# PDF\n${word("body")}\n`,
      "pdf/references/more.md": word("reference"),
      "pdf/scripts/fill.py": `print(${one(word("script"))})`,
    }),
  ],
  [
    ...(["skills", "all/", ["skill one", "skill in/two"], ["first", "second"]] as const),
    (word) => ({ "all/one/SKILL.md": word("first"), "all/in/two/SKILL.md": `---\nname: two\n---\n${word("second")}` }),
  ],
  [
    ...([
      "mcpb",
      "files.mcpb",
      ["claim tool:read", "claim prompt:ask", "claim manifest", "claim file:locales/de.json", "claim files"],
      ["tool", "prompt", "config", "override", "locale", "code"],
    ] as const),
    (word) => ({
      "files.mcpb": bundle(
        {
          ...{ manifest_version: "0.4", name: "files", version: "1.0.0", tools_generated: true },
          tools: [{ name: "read", description: word("tool") }],
          prompts: [{ name: "ask", text: word("prompt") }],
          user_config: { root: { type: "directory", title: "Root", description: word("config") } },
          server: { mcp_config: { command: "node", platform_overrides: { win32: { command: word("override") } } } },
        },
        { name: "locales/de.json", content: one({ tools: [{ name: "read", description: word("locale") }] }) },
        { name: "server/more.js", content: word("code") },
      ),
    }),
  ],
  [
    ...(["server-json", "server.json", ["claim manifest"], ["description", "variable", "header"]] as const),
    (word) => ({
      "server.json": one({
        ...{ name: "com.example/files", description: word("description"), version: "1.0.0" },
        packages: [
          {
            registry_type: "npm",
            identifier: "files",
            environment_variables: [{ name: "A", description: word("variable") }],
          },
        ],
        remotes: [
          {
            type: "streamable-http",
            url: "https://example.com",
            headers: [{ name: "B", description: word("header") }],
          },
        ],
      }),
    }),
  ],
  [
    ...(["docker-catalogue", "files/", ["claim tool:read", "claim manifest"], ["about", "tool", "argument"]] as const),
    (word) => ({
      "files/server.yaml": `name: files\nabout:\n  title: Files\n  description: |\n    ${word("about")}\nsource:\n  commit: abc\n`,
      "files/tools.json": one([
        {
          name: "read",
          description: word("tool"),
          arguments: [{ name: "path", type: "string", desc: word("argument") }],
        },
      ]),
    }),
  ],
  [
    ...([
      "claude-plugin",
      "tidy/",
      [
        "claim own-server:tidy",
        "claim manifest",
        "skill skill:skills/a",
        "claim command:tidy",
        "claim agent:deep/look",
        "claim server:other",
        "claim file:.mcp.json",
        "claim files",
      ],
      ["description", "argument", "skill", "command", "agent", "server", "hook", "script"],
    ] as const),
    (word) => ({
      "tidy/.claude-plugin/plugin.json": one({
        name: "tidy",
        description: word("description"),
        mcpServers: { tidy: { command: "npx", args: ["tidy", word("argument")] } },
      }),
      "tidy/skills/a/SKILL.md": word("skill"),
      "tidy/commands/tidy.md": `---\ndescription: Tidy\n---\n${word("command")}`,
      "tidy/agents/deep/look.md": word("agent"),
      "tidy/.mcp.json": one({ mcpServers: { other: { command: word("server") } } }),
      "tidy/hooks/hooks.json": one({ hooks: { Stop: [{ hooks: [{ type: "command", command: word("hook") }] }] } }),
      "tidy/scripts/run.sh": word("script"),
    }),
  ],
  [
    ...([
      "gemini-extension",
      "ext/gemini-extension.json",
      ["claim own-server:a", "claim manifest", "claim files"],
      ["server", "context", "command", "exclude"],
    ] as const),
    (word) => ({
      "ext/gemini-extension.json": one({
        name: "ext",
        contextFileName: "CONTEXT.md",
        mcpServers: { a: { command: word("server") } },
        excludeTools: [word("exclude")],
      }),
      "ext/CONTEXT.md": word("context"),
      "ext/commands/do.toml": `prompt = ${one(word("command"))}`,
    }),
  ],
  [
    ...([
      "openapi",
      "api.yaml",
      ["claim operation:GET:/pets", "claim operation:POST:/pets", "claim manifest"],
      ["info", "summary", "parameter", "body", "shared", "component"],
    ] as const),
    (word) => ({
      "api.yaml": [
        `openapi: 3.1.0\ninfo: {title: Pets, description: ${one(word("info"))}}`,
        `paths:\n  /pets:\n    parameters: [{name: v, in: query, description: ${one(word("shared"))}}]`,
        `    get: {operationId: list, summary: ${one(word("summary"))}, parameters: [{name: q, in: query, description: ${one(word("parameter"))}}]}`,
        `    post: {requestBody: {content: {application/json: {schema: {type: object, properties: {a: {description: ${one(word("body"))}}}}}}}}`,
        `components: {schemas: {Pet: {description: ${one(word("component"))}}}}`,
      ].join("\n"),
    }),
  ],
  [
    ...(["ai-plugin", "ai-plugin.json", ["claim manifest"], ["model", "human"]] as const),
    (word) => ({
      "ai-plugin.json": one({
        schema_version: "v1",
        name_for_model: "pets",
        description_for_model: word("model"),
        description_for_human: word("human"),
      }),
    }),
  ],
  [
    ...([
      "agent-card",
      "agent-card.json",
      ["claim skill:route", "claim manifest"],
      ["description", "skill", "example", "signature"],
    ] as const),
    (word) => ({
      "agent-card.json": one({
        ...{ name: "Routes", description: word("description"), version: "1", capabilities: {} },
        skills: [{ id: "route", name: "Route", description: word("skill"), examples: [word("example")], tags: [] }],
        signatures: [{ protected: "e30", signature: word("signature") }],
      }),
    }),
  ],
];

describe.each(cases)("a manifest: %s", (format, path, names, places, make) => {
  const read = (words: ReadonlyMap<string, string>) =>
    readAt(
      path,
      make((place) => words.get(place) ?? "plain"),
    );

  test("becomes definitions, each under its own name [manifest.formats]", async () => {
    const manifest = await read(new Map());
    const { definitions, malformed } = offerOf(manifest);
    expect(manifest.format).toBe(format);
    expect(malformed).toEqual([]);
    expect(definitions.map(({ address }) => `${address.kind} ${address.name}`).sort()).toEqual([...names].sort());
  });

  test("is another offer wherever one word in it changes, and the same where none does [manifest.pinned]", async () => {
    const still = offerOf(await read(new Map())).digest;
    expect(offerOf(await read(new Map())).digest).toBe(still);
    for (const place of places) {
      const moved = offerOf(await read(new Map([[place, "other"]]))).digest;
      expect([place, moved === still]).toEqual([place, false]);
    }
  });
});

describe("what a manifest says", () => {
  test("is the same in another spelling of JSON or YAML, and not in another order of a list", async () => {
    const plain = { name: "x", description: "d", packages: [1, 2] };
    const digest = async (name: string, text: string) => offerOf(await readAt(name, { [name]: text })).digest;
    const still = await digest("server.json", one(plain));
    expect(
      await digest(
        "server.json",
        `\uFEFF${JSON.stringify({ packages: [1, 2], description: "d", name: "x" }, null, 3)}`,
      ),
    ).toBe(still);
    expect(await digest("server.json", one({ ...plain, packages: [2, 1] }))).not.toBe(still);
    const api = await digest("a.yaml", "openapi: 3.1.0\ninfo: {title: 'T'}\n");
    expect(await digest("a.yaml", '# c\ninfo:\n  title: "T"\nopenapi: "3.1.0"\n')).toBe(api);
    expect(await digest("a.json", one({ openapi: "3.1.0", info: { title: "T" } }))).toBe(api);
  });

  test("of a signed bundle is what it says without the signature, with a note", async () => {
    const zip = zipOf([{ name: "manifest.json", content: one({ name: "b", tools: [] }) }]);
    const signature = Buffer.concat([
      Buffer.from("MCPB_SIG_V1"),
      Buffer.from([3, 0, 0, 0, 1, 2, 3]),
      Buffer.from("MCPB_SIG_END"),
    ]);
    const counted = Buffer.from(zip);
    counted.writeUInt16LE(signature.length, zip.length - 2);
    const digests = new Set<string>();
    for (const bytes of [zip, Buffer.concat([zip, signature]), Buffer.concat([counted, signature])]) {
      const file = join(folder, `signed-${count++}.mcpb`);
      writeFileSync(file, bytes);
      const reading = await readManifestAt(file);
      if (reading.is === "refused") throw new Error(reading.problem.code);
      digests.add(offerOf(reading.value).digest);
      expect(reading.value.notes).toEqual(bytes === zip ? [] : [{ code: "SIGNATURE_NOT_CHECKED" }]);
    }
    expect(digests.size).toBe(1);
  });

  test.each([
    ["a.yaml", "openapi: &a 3\ninfo: *a", "NOT_YAML"],
    ["a.yaml", "openapi: 3\nopenapi: 4", "NOT_YAML"],
    ["a.yaml", "openapi: .inf", "NOT_YAML"],
    ["a.yaml", "openapi: 3\n? [1, 2]\n: 3", "NOT_YAML"],
    ["a.json", '{"openapi":1,"openapi":2}', "NOT_JSON"],
    ["a.json", "[]", "NOT_AN_OBJECT"],
    ["a.json", '{"what":"ever"}', "NOT_KNOWN"],
    ["a.txt", "text", "NOT_KNOWN"],
    ["SKILL.md", "---\nname: [\n---\n", "NOT_YAML"],
    ["SKILL.md", "---\n- a\n---\n", "NOT_AN_OBJECT"],
    ["SKILL.md", "a\0b", "NOT_TEXT"],
    ["a.mcpb", '[{"name":"other.json","content":"{}"}]', "NO_MANIFEST"],
  ])("%s: %j is refused: %s [manifest.refused]", async (name, text, code) => {
    await expect(readAt(name, { [name]: text })).rejects.toThrow(`"code":"${code}"`);
  });

  test("keeps every key, though it be `__proto__`, and every file", async () => {
    const manifest = await readAt("server.json", {
      "server.json": '{"name":"a","description":"b","__proto__":{"x":"evil"}}',
    });
    expect(manifest.said[0]?.text).toContain('"__proto__":{"x":"evil"}');
    const yaml = await readAt("a.yaml", { "a.yaml": "openapi: 3\n__proto__: {x: evil}\n" });
    expect(yaml.said[0]?.text).toContain('"__proto__":{"x":"evil"}');
  });

  test("any bytes of a head are read or refused, never dropped", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 40 }), async (head) => {
        const at = (body: string) =>
          readAt("SKILL.md", { "SKILL.md": `---\na: ${head}\n---\n${body}` }).then(offerOf, () => undefined);
        const [first, second] = [await at("x"), await at("y")];
        expect(first?.digest === undefined || first.digest !== second?.digest).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});
