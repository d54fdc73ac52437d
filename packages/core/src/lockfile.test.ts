import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LockfileError, type LockfileProblem } from "./lockfile.ts";
import type { Pointer } from "./pointer.ts";
import { readLockfile } from "./read-lockfile.ts";
import { value } from "./under-test/arbitrary-definition.ts";
import { locked, lockedServer, ruleset } from "./under-test/locked-server.ts";
import { writeLockfile } from "./write-lockfile.ts";

const described = (description: string) => ({
  name: "read",
  description: "Reads a file. Nothing else is read.",
  inputSchema: { type: "object", properties: { path: { type: "string", description } }, required: ["path"] },
});
const files = lockedServer("files", locked("files", "tool", "read", described("Where the file is")));
const text = writeLockfile({ servers: [files] });

function read(file: string) {
  return readLockfile(Buffer.from(file));
}

function problemsOf(file: string | Uint8Array): readonly LockfileProblem[] {
  try {
    readLockfile(typeof file === "string" ? Buffer.from(file) : file);
  } catch (error) {
    if (error instanceof LockfileError) return error.problems;
    throw error;
  }
  return [];
}

/** Every line of a file once, but for one that is written instead. */
function withLine(file: string, from: string, ...to: readonly string[]): string {
  expect(file).toContain(from);
  return file.replace(from, to.join("\n"));
}

describe("a lockfile", () => {
  test("[lock.bytes] is these bytes", () => {
    expect(text.split("\n")).toEqual([
      "countersign.lock 1",
      '# Approvals, written by "countersign lock": docs/format.md says what each line means, docs/ci.md what to do with a change.',
      `files ruleset ${ruleset}`,
      "files tool read received cs1:sha256:9451e0d2649564dc8824bd0fb72714bfb083273dd70affb7506429cb711b2255",
      'files tool read "" {"name":"read"}',
      'files tool read /description "Reads a file. Nothing else is read."',
      'files tool read /inputSchema {"required":["path"],"type":"object"}',
      "files tool read /inputSchema/properties {}",
      'files tool read /inputSchema/properties/path {"type":"string"}',
      'files tool read /inputSchema/properties/path/description "Where the file is"',
      "",
    ]);
  });

  test("[lock.same] of the same approvals is the same bytes, in whatever order they come", () => {
    const [a, b] = [
      locked("s", "tool", "a", { name: "a", inputSchema: {} }),
      locked("s", "prompt", "b", { name: "b" }),
    ];
    const one = { servers: [lockedServer("s", a, b), files] };
    const other = { servers: [files, lockedServer("s", b, a)] };
    expect(writeLockfile(other)).toBe(writeLockfile(one));
    expect(writeLockfile(read(writeLockfile(one)).lockfile)).toBe(writeLockfile(one));
  });

  test("[lock.round-trip] holds any value under any name, and gives it back", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), value, (name, content) => {
        const server = lockedServer("s", locked("s", "launch", name.toWellFormed(), content));
        const file = writeLockfile({ servers: [server] });
        const [back] = read(file).lockfile.servers;
        expect(back?.definitions[0]?.text).toBe(server.definitions[0]?.text);
        expect(back?.definitions[0]?.received).toBe(server.definitions[0]?.received);
        expect(writeLockfile(read(file).lockfile)).toBe(file);
      }),
      { numRuns: 300 },
    );
  });

  test("[lock.round-trip] keeps plans, what was acknowledged, and when it ends", () => {
    const plan = { prose: "frozen", set: [{ at: "/description" as Pointer, to: "Ours." }], close: true } as const;
    const definition = {
      ...locked("s", "tool", "read", described("There"), plan),
      ...{ acknowledged: [{ rule: "precedence" }, { rule: "open-object" }], expires: 1_800_000_000_000 },
    };
    const file = writeLockfile({ servers: [lockedServer("s", definition)] });
    expect(file).toContain("\ns tool read expires 2027-01-15T08:00:00.000Z\n");
    expect(read(file).lockfile.servers[0]?.definitions[0]).toMatchObject({
      ...{ plan, contract: definition.contract, rendered: definition.rendered, expires: definition.expires },
      acknowledged: [{ rule: "open-object" }, { rule: "precedence" }],
    });
  });

  test("[lock.diff] a change of one place changes two lines: its own, and the digest", () => {
    const sentences = Array.from(
      { length: 40 },
      (_, index) => `Sentence ${index} says something of the file that it reads. `,
    );
    const changed = sentences.with(
      20,
      "Sentence 20 says something else, and that at some more length than it did before. ",
    );
    const file = (words: readonly string[]) =>
      writeLockfile({ servers: [lockedServer("s", locked("s", "tool", "read", described(words.join(""))))] });
    const [before, after] = [file(sentences).split("\n"), file(changed).split("\n")];
    const [gone, come] = [before.filter((one) => !after.includes(one)), after.filter((one) => !before.includes(one))];
    expect(gone.length + come.length).toBe(4);
    expect(come.find((line) => line.includes("/description"))).toBe(
      's tool read /inputSchema/properties/path/description + "Sentence 20 says something else, and that at some more length than it did before. "',
    );
  });

  test("[lock.seen] hides nothing from whoever reads a diff", () => {
    const file = writeLockfile({
      servers: [
        lockedServer(
          "s",
          locked("s", "tool", "a\u202e", { name: "a\u202e", description: "b\u200bc\u{e0041}", inputSchema: {} }),
        ),
      ],
    });
    expect(file).toContain('"a\\u202e"');
    expect(file).toContain('"b\\u200bc\\udb40\\udc41"');
    expect(file).toMatch(/^[\x20-\x7e\n]*$/);
    expect(read(file).lockfile.servers[0]?.definitions[0]?.address.name).toBe("a\u202e");
  });

  test("[lock.lines] says on which lines a place stands, or what is around it", () => {
    const { linesOf } = read(text);
    const address = files.definitions[0]?.address;
    if (address === undefined) throw new Error("there is one");
    const at = (pointer: string) => linesOf(address, pointer as Pointer);
    expect(linesOf(address)).toEqual({ first: 4, last: 10 });
    expect(at("/inputSchema/properties/path/description")).toEqual({ first: 10, last: 10 });
    expect(at("/inputSchema/properties/path/type")).toEqual({ first: 9, last: 9 });
    expect(at("/inputSchema/properties/other/description")).toEqual({ first: 8, last: 8 });
    expect(linesOf({ ...address, name: "none" })).toEqual({ first: 3, last: 3 });
  });

  test("[lock.merge] takes servers in any order, and line ends as a checkout makes them", () => {
    const other = writeLockfile({ servers: [lockedServer("alpha", locked("alpha", "prompt", "p", { name: "p" }))] });
    const merged = text + other.split("\n").slice(2).join("\n");
    expect(read(merged).lockfile.servers.map(({ server }) => server)).toEqual(["files", "alpha"]);
    expect(read(text.replaceAll("\n", "\r\n")).lockfile).toEqual(read(text).lockfile);
  });
});

describe("a lockfile is refused", () => {
  test.each<[string, string, number, string]>([
    ["where it begins otherwise", "{}\n", 1, "begins"],
    ["of a later version", text.replace("lock 1", "lock 2"), 1, "version 2"],
    ["that was cut off", text.slice(0, -8), 10, "cut off"],
    ["where a text was changed", withLine(text, "Where the file is", "Where ~/.ssh is"), 4, "digest of it is another"],
    ["where a text is missing", withLine(text, 'files tool read "" {"name":"read"}\n'), 5, "nothing above it"],
    [
      "with a digest that is none",
      withLine(text, "received cs1:sha256:94", "received cs1:sha256:9"),
      4,
      "not a digest",
    ],
    ["with a line twice", text + text.split("\n")[3], 11, "stands here twice"],
    ["with a key twice", withLine(text, '{"name":"read"}', '{"name":"read","name":"read"}'), 5, "DUPLICATE_KEY"],
    ["with a conflict", `${text}<<<<<<< ours\n`, 11, "merge conflict"],
    ["with another spelling", withLine(text, '"Where the file is"', '"\\u0057here the file is"'), 10, "written here"],
    ["with a field of no approval", `${text}files tool read trusted true\n`, 11, "no field"],
    ["with another kind", `${text}files tools read received x\n`, 11, "no kind"],
    ["with a server that is no name", `${text}../x tool read received x\n`, 11, "server's name"],
    ["with a comment", `${text}# approved by the security team\n`, 11, "server's name"],
    ["without the rules", withLine(text, `files ruleset ${ruleset}\n`, ""), 3, "ruleset"],
    ["with an empty line", text.replace("files tool", "\nfiles tool"), 4, "server's name"],
    [
      "with a plan that speaks of nothing",
      withLine(text, 'files tool read ""', 'files tool read set /none "x"', 'files tool read ""'),
      4,
      "places that there are not",
    ],
  ])("[lock.refused] %s", (_, file, line, what) => {
    const problems = problemsOf(file);
    expect(problems.map((one) => `${one.line}: ${one.what}`).join("\n")).toContain(what);
    expect(problems.some((one) => one.line === line)).toBe(true);
  });

  test("[lock.refused] with all its problems at once, each with its line, and none of its words unescaped", () => {
    const file = `${text}bad line\nfiles tool \u001b[2J\u202e received x\nfiles tool other received nothing\n`;
    const problems = problemsOf(file);
    expect(problems.map(({ line }) => line)).toEqual([11, 12, 13]);
    expect(JSON.stringify(problems)).not.toContain("\u202e");
    expect(problems.every(({ what }) => !what.includes("\u001b"))).toBe(true);
  });

  test("[lock.hostile] keys like __proto__ are keys, and nothing else", () => {
    const evil = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"__proto__":"x y"}}');
    const file = writeLockfile({
      servers: [lockedServer("constructor", locked("constructor", "launch", "__proto__", evil))],
    });
    const [server] = read(file).lockfile.servers;
    expect(server?.definitions[0]?.text).toBe('{"__proto__":{"polluted":true},"constructor":{"__proto__":"x y"}}');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test("[lock.hostile] depth, size and number of problems are bounded", () => {
    const deep = `${text}files tool deep "" {}\n${Array.from({ length: 200 }, (_, index) => `files tool deep ${"/a".repeat(index + 1)} {}\n`).join("")}`;
    expect(problemsOf(deep).some(({ what }) => what.includes("TOO_DEEP"))).toBe(true);
    expect(problemsOf(`${text}files tool deep ${"/a".repeat(1_000_000)} {}\n`)).toHaveLength(1);
    const many = problemsOf(text + "x\n".repeat(100_000));
    expect(many).toHaveLength(101);
    expect(many.at(-1)?.what).toBe("and 99900 more problems");
    expect(problemsOf(new Uint8Array(64 * 1024 * 1024 + 1))[0]?.what).toContain("bytes");
    expect(problemsOf(Uint8Array.of(0xff, 0xfe))[0]?.what).toBe("not UTF-8");
  });

  test("[lock.hostile] one changed byte anywhere approves nothing else", () => {
    const bytes = Buffer.from(text);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ by;
        try {
          const { servers } = readLockfile(changed).lockfile;
          // Another name of the server, or other rules, and the definition as it was.
          expect(servers.flatMap(({ definitions }) => definitions.map(({ text }) => text))).toEqual([
            files.definitions[0]?.text,
          ]);
        } catch (error) {
          expect(error).toBeInstanceOf(LockfileError);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
