import fc from "fast-check";
import { type ParseError, parse as parseJsonc } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import type { Entry } from "../entry.ts";
import { guardedBy } from "../guarded-by.ts";
import type { HostFile } from "../host.ts";
import type { HostId } from "../host-id.ts";
import { hostOf } from "../hosts.ts";
import { readHostFile } from "../read-host-file.ts";
import { editEntry } from "./edit-entry.ts";
import type { Was } from "./unwrap-entry.ts";
import { wasOf } from "./was-of.ts";

/**
 * The law of `wrap` and `unwrap`: wrapped, edited by somebody else, unwrapped, a file is what those edits alone make of it.
 * A file is made of parts, every other one an entry, so that the same edits can be made to the file that was never wrapped.
 */
interface Made {
  readonly host: HostId;
  readonly file: HostFile;
  /** What stands before, between and after the entries. */
  readonly around: readonly string[];
  readonly entries: readonly string[];
  /** As the host's own parser reads it. */
  readonly parse: (text: string) => unknown;
}

const guard = ["/opt/a b/node", "/opt/countersign/dist/bin.js", "run", "s", "--"] as const;

/** Each of its letters may be awkward in one of the formats. */
const word = fc.oneof(
  fc.constantFrom(
    "npx",
    "-y",
    "--port=8080",
    "a b",
    "C:\\bin\\x.exe",
    "ä€𝄞",
    "it's",
    '"',
    "#1",
    "[x]",
    "{y}",
    "a: b",
    "$" + "{TOKEN}",
  ),
  fc
    .string({ minLength: 1, maxLength: 6, unit: "grapheme-ascii" })
    .filter((text) => text.trim() === text && text !== ""),
);
const eol = fc.constantFrom("\n", "\r\n");
const indent = fc.constantFrom("  ", "\t", "    ", " ");
const spec = fc.record({
  command: fc.constantFrom("npx", "uvx", "/usr/bin/node", "C:\\n\\node.exe", "it's"),
  args: fc.option(fc.array(word, { maxLength: 4 }), { nil: undefined }),
  style: fc.nat({ max: 5 }),
  comment: fc.boolean(),
});
const layout = fc.record({
  eol,
  indent,
  specs: fc.array(spec, { minLength: 1, maxLength: 4 }),
  tail: fc.boolean(),
  bare: fc.boolean(),
});
type Layout = typeof layout extends fc.Arbitrary<infer T> ? T : never;

const quoted = (text: string) => JSON.stringify(text);

function jsonFile({ eol, indent, specs, tail, bare }: Layout): Made {
  const entries = specs.map(({ command, args, style, comment }, n) => {
    const deep = `${eol}${indent.repeat(3)}`;
    const list = args?.map(quoted) ?? [];
    const spelled =
      style % 3 === 0
        ? `[${list.join(", ")}]`
        : style % 3 === 1
          ? `[ ${list.join(",")} ]`
          : `[${list.map((one) => `${eol}${indent.repeat(4)}${one}`).join(",")}${tail && list.length > 0 ? "," : ""}${deep}]`;
    const note = comment ? ` // why ${n}` : "";
    const env = `"env": {"A": "VALUE${n}"}`;
    const one = [`"command": ${quoted(command)}`, ...(args === undefined ? [] : [`"args": ${spelled}`]), env];
    if (style >= 3) one.reverse();
    if (bare && !comment) return `{${one.join(", ")}}`;
    return `{${one.map((part, index) => `${deep}${part}${index < one.length - 1 || tail ? "," : ""}${note}`).join("")}${eol}${indent.repeat(2)}}`;
  });
  const line = `${eol}${indent.repeat(2)}`;
  const around = entries.map((_, n) =>
    n === 0
      ? `\uFEFF{${eol}${indent}// mine${eol}${indent}"other": [1, 2.50, {"__proto__": null}],${eol}${indent}"mcpServers": {${line}"name0": `
      : `,${line}/* ${n} */ "name${n}": `,
  );
  const end = `${tail ? "," : ""}${eol}${indent}}${eol}}${bare ? "" : eol}`;
  const parse = (text: string) => {
    const errors: ParseError[] = [];
    const value: unknown = parseJsonc(text.replace(/^\uFEFF/, ""), errors, { allowTrailingComma: true });
    expect(errors).toEqual([]);
    return value;
  };
  const file: HostFile = {
    path: "/f",
    scope: "user",
    format: "jsonc",
    lists: [{ at: ["mcpServers"], shape: "named" }],
  };
  return { host: "cursor", file, around: [...around, end], entries, parse };
}

function tomlFile({ eol, indent, specs, tail, bare }: Layout): Made {
  const literal = (text: string) => (bare && !/['\n]/.test(text) ? `'${text}'` : quoted(text));
  const entries = specs.map(({ command, args, style, comment }) => {
    const list = args?.map(literal) ?? [];
    const note = comment ? " # why" : "";
    const spelled =
      style % 2 === 0
        ? `[ ${list.join(", ")} ]${note}`
        : `[${note}${list.map((one) => `${eol}${indent}${one},${note}`).join("")}${eol}]`;
    const space = style > 3 ? "=" : "  =  ";
    const one = [
      `command${space}${literal(command)}${note}`,
      ...(args === undefined ? [] : [`args${space}${spelled}`]),
    ];
    if (style % 3 === 1) one.reverse();
    return one.map((part) => `${style > 2 ? indent : ""}${part}`).join(eol);
  });
  const table = (n: number) => `[mcp_servers.name${n}]${eol}`;
  const around = entries.map((_, n) =>
    n === 0
      ? `# mine${eol}model = "x"${eol}big = 9223372036854775807${eol}when = 1979-05-27T07:32:00Z${eol}${eol}${table(0)}`
      : `${eol}[mcp_servers.name${n - 1}.env]${eol}A = "VALUE${n - 1}"${eol}${eol}${table(n)}`,
  );
  const end = tail ? `${eol}enabled = true` : eol;
  const file: HostFile = {
    path: "/f",
    scope: "user",
    format: "toml",
    lists: [{ at: ["mcp_servers"], shape: "named" }],
  };
  return {
    host: "codex",
    file,
    around: [...around, end],
    entries,
    parse: (text) => parseToml(text, { integersAsBigInt: "asNeeded" }),
  };
}

function yamlFile({ eol, indent: asked, specs, tail, bare }: Layout): Made {
  const indent = asked.replace("\t", "   ");
  const plain = (text: string) => (!bare && /^[A-Za-z/][\w/.]*$/.test(text) ? text : quoted(text));
  const entries = specs.map(({ command, args, style, comment }, n) => {
    const list = args?.map(plain) ?? [];
    const note = comment ? ` # why ${n}` : "";
    const deep = indent.repeat(2);
    const key = bare ? '"cmd"' : "cmd";
    const env = `envs: {A: VALUE${n}}`;
    if (style === 0)
      return `{${[`${key}: ${plain(command)}`, ...(args === undefined ? [] : [`args: [${list.join(", ")}]`]), env].join(", ")}}`;
    const spelled =
      style % 2 === 0 || list.length === 0
        ? ` [${list.join(", ")}]${note}`
        : list.map((one) => `${eol}${deep}${indent}-${style > 3 ? "   " : " "}${one}${note}`).join("");
    const one = [`${key}: ${plain(command)}${note}`, ...(args === undefined ? [] : [`args:${spelled}`]), env];
    if (style % 3 === 1) one.reverse();
    return one.map((part) => `${eol}${deep}${part}`).join("");
  });
  const around = entries.map((_, n) =>
    n === 0
      ? `# mine${eol}other: &it [1, 2.50]${eol}again: *it${eol}extensions:${eol}${indent}name0: `
      : `${eol}${indent}# ${n}${eol}${indent}name${n}: `,
  );
  const file: HostFile = { path: "/f", scope: "user", format: "yaml", lists: [{ at: ["extensions"], shape: "named" }] };
  return {
    host: "goose",
    file,
    around: [...around, tail ? `${eol}last: true${eol}` : ""],
    entries,
    parse: (text) => parseYaml(text),
  };
}

function joined(around: readonly string[], entries: readonly string[]): string {
  return around.map((part, index) => part + (entries[index] ?? "")).join("");
}

function entriesOf({ host, file }: Made, text: string): readonly Entry[] {
  const { entries, problems } = readHostFile(hostOf(host), file, Buffer.from(text));
  expect(problems).toEqual([]);
  return entries;
}

/** As the commands keep it: the mark that begins a file stands before the text that is edited. */
function edited(
  made: Made,
  text: string,
  name: string,
  change: (entry: Entry, body: string) => Parameters<typeof editEntry>[3],
): string {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const body = text.slice(mark.length);
  const entry = entriesOf(made, text).find((one) => one.name === name);
  if (entry?.reach.is !== "stdio") throw new Error(`${name} is not there`);
  const behind = guardedBy(entry)?.behind;
  const { command, args } = entry.reach;
  const [first, ...rest] = [...guard, command, ...args];
  const result = editEntry(
    hostOf(made.host),
    entry,
    body,
    change(entry, body),
    behind ?? { command: first ?? "", args: rest },
  );
  if (result.is === "refused") throw new Error(`${result.because}: ${name} in\n${text}`);
  return mark + result.text;
}

const names = (made: Made) => made.entries.map((_, n) => `name${n}`);

function wrapped(made: Made, was: Map<string, Was>): readonly string[] {
  const whole = joined(made.around, made.entries);
  return made.entries.map((_, n) => {
    const text = edited(made, whole, `name${n}`, (entry, body) => {
      const kept = wasOf(entry, body);
      if (kept !== undefined) was.set(entry.name, kept);
      return { is: "wrap", guard };
    });
    const before = joined(made.around.slice(0, n + 1), made.entries.slice(0, n)).length;
    return text.slice(before, before + (text.length - whole.length) + (made.entries[n]?.length ?? 0));
  });
}

function unwrapped(made: Made, text: string, was: ReadonlyMap<string, Was>): string {
  let now = text;
  for (const { name, reach } of entriesOf(made, text)) {
    const guarded = guardedBy({ reach });
    if (guarded?.behind.is !== "stdio" || reach.is !== "stdio") continue;
    const count = reach.args.length - guarded.behind.args.length;
    now = edited(made, now, name, () => {
      const kept = was.get(name);
      return { is: "unwrap", guard: count, ...(kept === undefined ? {} : { was: kept }) };
    });
  }
  return now;
}

/** What somebody does to a file, wrapped or not: by parts, and by texts that stand in it once. */
type Edit = (parts: { around: string[]; entries: string[] }) => void;

const edits: readonly Edit[] = [
  ({ around }) => {
    around[0] = around[0]?.replace("mine", "mine, and yours") ?? "";
  },
  ({ around }) => {
    around[0] = around[0]?.replace("2.50", "2.5") ?? "";
  },
  ({ entries, around }) => {
    for (const parts of [entries, around])
      for (const [n, part] of parts.entries()) parts[n] = part.replace("VALUE0", "another value");
  },
  ({ entries }) => {
    for (const [n, entry] of entries.entries()) entries[n] = entry.replace(/why(?= ?\d?)/g, "because");
  },
  ({ entries }) => {
    for (const [n, entry] of entries.entries()) entries[n] = entry.replace('"env": {', '"timeout": 5, "env": {');
  },
  // An entry goes away, with what stood before it.
  ({ around, entries }) => {
    if (entries.length < 3) return;
    entries.splice(1, 1);
    const [before = ""] = around.splice(1, 1);
    if (before.includes("mcp_servers."))
      around[1] = around[1]?.replace(".name1.env", ".name0.env").replace("VALUE1", "VALUE0") ?? "";
  },
  // Empty lines, and one of their own, come in between.
  ({ around }) => {
    const [, second] = around;
    if (second !== undefined) around[1] = second.replace(/\r?\n/, "$&$&");
  },
];

function law(make: (layout: Layout) => Made, seed: number, numRuns: number): void {
  fc.assert(
    fc.property(layout, fc.uniqueArray(fc.nat({ max: edits.length - 1 })), (spec, chosen) => {
      const made = make(spec);
      const original = joined(made.around, made.entries);
      const was = new Map<string, Was>();
      const guarded = wrapped(made, was);
      const whole = joined(made.around, guarded);
      // The host's own parser reads what was written: the guard, and behind it the command.
      made.parse(whole);
      for (const entry of entriesOf(made, whole)) expect(guardedBy(entry)?.server).toBe("s");
      expect(names(made)).toHaveLength(entriesOf(made, whole).length);
      expect(unwrapped(made, whole, was)).toBe(original);
      const mine = { around: [...made.around], entries: [...made.entries] };
      const theirs = { around: [...made.around], entries: [...guarded] };
      for (const index of chosen) {
        edits[index]?.(mine);
        edits[index]?.(theirs);
      }
      const result = unwrapped(made, joined(theirs.around, theirs.entries), was);
      expect(result).toBe(joined(mine.around, mine.entries));
      made.parse(result);
    }),
    { seed, numRuns },
  );
}

describe("wrap, edits by somebody else, unwrap: every byte as that person left it", () => {
  for (const seed of [1, 2, 3, 4]) test(`JSON with comments, ${seed}`, () => law(jsonFile, seed, 120));
  for (const seed of [1, 2, 3, 4]) test(`TOML, ${seed}`, () => law(tomlFile, seed, 75));
  for (const seed of [1, 2, 3, 4, 5, 6]) test(`YAML, ${seed}`, () => law(yamlFile, seed, 40));
});
