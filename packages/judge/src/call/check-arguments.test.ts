import { resolve } from "node:path/posix";
import { type Schema, Validator } from "@cfworker/json-schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jsonOf } from "../under-test/json-of.ts";
import { checkArguments } from "./check-arguments.ts";
import { pathFault } from "./path-fault.ts";

const names = fc.constantFrom("a", "b", "c");
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(null, true, false, 0, 1, 1.5, 2, -1, "", "a", "ab", "abc"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(names, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

const count = fc.integer({ min: 0, max: 3 });
const type = fc.constantFrom("null", "boolean", "object", "array", "number", "string", "integer");
/** @param leaves schemas that are no others' parts */
const schemaOf = (...leaves: readonly object[]) =>
  fc.letrec<{ schema: unknown }>((tie) => {
    const inner = tie("schema");
    const map = fc.dictionary(names, inner, { maxKeys: 3, noNullPrototype: true });
    const list = fc.array(inner, { minLength: 1, maxLength: 3 });
    return {
      schema: fc.oneof(
        { maxDepth: 3 },
        fc.boolean(),
        fc.record(
          {
            type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
            const: value,
            enum: fc.array(value, { minLength: 1, maxLength: 3 }),
            minimum: count,
            exclusiveMaximum: count,
            multipleOf: fc.constantFrom(0.5, 1, 2),
            minLength: count,
            maxLength: count,
            pattern: fc.constantFrom("^a", "b$", "^a.c$"),
            minItems: count,
            maxItems: count,
            uniqueItems: fc.boolean(),
            required: fc.uniqueArray(names, { maxLength: 2 }),
            minProperties: count,
            maxProperties: count,
          },
          { requiredKeys: [] },
        ),
        fc.record(
          {
            properties: map,
            patternProperties: fc.dictionary(fc.constantFrom("^a", "b"), inner, { maxKeys: 2, noNullPrototype: true }),
            additionalProperties: inner,
            unevaluatedProperties: inner,
            propertyNames: inner,
            dependentSchemas: map,
            dependentRequired: fc.dictionary(names, fc.uniqueArray(names, { maxLength: 2 }), {
              maxKeys: 2,
              noNullPrototype: true,
            }),
          },
          { requiredKeys: [] },
        ),
        fc.record({ prefixItems: list, items: inner, contains: inner, unevaluatedItems: inner }, { requiredKeys: [] }),
        fc.record(
          // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword
          { allOf: list, anyOf: list, oneOf: list, not: inner, if: inner, then: inner, else: inner },
          { requiredKeys: [] },
        ),
        fc.constantFrom(...leaves),
      ),
    };
  }).schema;
const plain = schemaOf({});
const schema = schemaOf({ $ref: "#/$defs/a" }, { $ref: "#/$defs/b", minProperties: 1 });

function check(schema: unknown, args: unknown, options = {}) {
  return checkArguments(jsonOf(JSON.stringify(schema)), jsonOf(JSON.stringify(args)), options);
}

describe("[call.arguments] checkArguments()", () => {
  test("agrees with another validator on what it supports", () => {
    fc.assert(
      fc.property(schema, plain, plain, fc.dictionary(names, value, { noNullPrototype: true }), (one, a, b, args) => {
        const whole: Schema = JSON.parse(JSON.stringify({ allOf: [one], $defs: { a: { not: a }, b } }));
        const violations = check(whole, args);
        fc.pre(violations.every(({ code }) => code === "FAILED"));
        const theirs = new Validator(whole, "2020-12", false).validate(args);
        expect({ whole, args, valid: violations.length === 0 }).toEqual({ whole, args, valid: theirs.valid });
      }),
      { numRuns: 3_000 },
    );
  });

  test("never repeats a value", () => {
    const secret = "b5e1f2c9";
    fc.assert(
      fc.property(schema, names, (one, name) => {
        const violations = check({ allOf: [one], $defs: { a: false, b: true } }, { [name]: [secret, { a: secret }] });
        expect(JSON.stringify(violations)).not.toContain(secret);
      }),
    );
  });

  test("[call.budget] fewer steps never let more pass", () => {
    fc.assert(
      fc.property(
        schema,
        fc.dictionary(names, value, { noNullPrototype: true }),
        fc.integer({ min: 0, max: 60 }),
        (one, args, steps) => {
          const whole = { allOf: [one], $defs: { a: true, b: false } };
          if (check(whole, args, { steps }).length === 0) expect(check(whole, args)).toEqual([]);
        },
      ),
    );
  });

  test("[call.close] a closed root lets through what some schema that holds declares, and nothing else", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(names),
        fc.uniqueArray(names),
        fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "__proto__")),
        (one, other, given) => {
          const declaring = (keys: readonly string[]) => ({
            properties: Object.fromEntries(keys.map((key) => [key, true])),
          });
          const args = Object.fromEntries(given.map((key) => [key, 1]));
          const violations = check({ ...declaring(one), allOf: [declaring(other)] }, args, { closeRoot: true });
          const declared = new Set<string>([...one, ...other]);
          const undeclared = Object.keys(args).filter((key) => !declared.has(key));
          expect(violations).toEqual(undeclared.map((key) => ({ code: "UNDECLARED", at: `/${key}` })));
        },
      ),
    );
  });
});

const exhausted = expect.objectContaining({ code: "TOO_MUCH_WORK" });

function doubling(keyword: string, times: number): unknown {
  const next = (index: number) => ({ $ref: `#/$defs/n${index}` });
  const defs = Array.from({ length: times }, (_, index) => [
    `n${index}`,
    { [keyword]: [next(index + 1), next(index + 1)] },
  ]);
  return { ...next(0), $defs: Object.fromEntries([...defs, [`n${times}`, {}]]) };
}

const many = (count: number) => Array.from({ length: count }, (_, index) => index);

const attacks: readonly (readonly [what: string, schema: unknown, args: unknown, expected: unknown])[] = [
  ["2^60 by allOf", doubling("allOf", 60), {}, [exhausted]],
  ["2^60 by anyOf", doubling("anyOf", 60), {}, [exhausted]],
  ["2^60 by oneOf", doubling("oneOf", 60), {}, [exhausted]],
  [
    "a chain of 10,000 references",
    {
      $ref: "#/$defs/0",
      $defs: Object.fromEntries(many(10_000).map((index) => [index, { $ref: `#/$defs/${index + 1}` }])),
    },
    {},
    [exhausted],
  ],
  ["a circle", { anyOf: [{ $ref: "#" }, {}] }, {}, [exhausted]],
  [
    "100,000 arguments under 1,000 patterns",
    { patternProperties: Object.fromEntries(many(1_000).map((index) => [`^(a|b|c)*${index}$`, false])) },
    Object.fromEntries(many(100_000).map((index) => [`a${index}x`, 1])),
    [exhausted],
  ],
  [
    "1,000 patterns, each as large as may be",
    { patternProperties: Object.fromEntries(many(1_000).map((index) => [`a{4000}${index}`, false])) },
    { a: 1 },
    [exhausted],
  ],
  [
    "a megabyte under a pattern of many states",
    { properties: { a: { pattern: "^(?:a|b)*a(?:a|b){900}(?:a|b){900}[c-z]$" } } },
    { a: "ab".repeat(500_000) },
    [exhausted],
  ],
  [
    "a megabyte under a pattern that backtracks",
    { properties: { a: { pattern: "^(a+)+$" } } },
    { a: `${"a".repeat(1_000_000)}!` },
    [expect.objectContaining({ code: "FAILED", keyword: "pattern" })],
  ],
  [
    "100,000 unlike items that are almost alike",
    { properties: { a: { uniqueItems: true, items: { enum: many(100) } } } },
    { a: many(100_000) },
    expect.arrayContaining([exhausted]),
  ],
  [
    "numbers with exponents of a thousand digits",
    { properties: { a: { items: { multipleOf: 7 } } } },
    { a: many(1_000) },
    expect.any(Array),
  ],
  [
    "unevaluated properties of 100,000, through many parts",
    { allOf: many(200).map(() => ({ allOf: [{ patternProperties: { "": true } }] })), unevaluatedProperties: false },
    Object.fromEntries(many(100_000).map((index) => [`a${index}`, 1])),
    [exhausted],
  ],
];

describe("[call.budget] an attack on the check itself", () => {
  test.each(attacks)("%s takes a moment", (_, schema, args, expected) => {
    const [read, given] = [jsonOf(JSON.stringify(schema)), jsonOf(JSON.stringify(args))];
    const before = process.cpuUsage();
    expect(checkArguments(read, given)).toEqual(expected);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(3_000);
  });

  test("long numbers cost what they cost", () => {
    const number = `1.${"1".repeat(500)}e${"9".repeat(500)}`;
    const args = jsonOf(`{"a":[${many(1_000).map(() => number)}]}`);
    const long = jsonOf(`{"properties":{"a":{"items":{"multipleOf":3.${"7".repeat(900)}}}}}`);
    const before = process.cpuUsage();
    expect(checkArguments(long, args).length).toBeGreaterThan(0);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(3_000);
  });

  test("what is nested as deep as JSON may be is checked", () => {
    const deep = (times: number) => `${'{"a":'.repeat(times)}1${"}".repeat(times)}`;
    const schema = jsonOf('{"properties":{"a":{"anyOf":[{"type":"number"},{"$ref":"#"}]}}}');
    expect(checkArguments(schema, jsonOf(deep(90)))).toEqual([]);
    expect(checkArguments(schema, jsonOf(deep(128)))).toEqual([exhausted]);
  });
});

test("[call.narrow] a path that passes is below the folder, however it is read", () => {
  const piece = fc.constantFrom(
    "a",
    "b",
    "..",
    ".",
    "",
    "...",
    "a.",
    "~",
    "%2e%2e",
    "%2f",
    "\\",
    "\u2215",
    "\u2024",
    "etc",
    " ",
    "file:",
  );
  const start = fc.constantFrom("/srv/data/", "/srv/", "/", "//", "", "~/", "file:///srv/data/", "C:/");
  fc.assert(
    fc.property(start, fc.array(piece, { maxLength: 8 }), (first, pieces) => {
      const text = first + pieces.join("/");
      if (pathFault(text, { folders: ["/srv/data"] }) !== undefined) return;
      const plain = text.replace(/^file:\/\//, "");
      for (const reading of [plain, decodeURIComponent(plain), plain.normalize("NFKC"), plain.replaceAll("\\", "/")]) {
        expect(`${resolve("/elsewhere", reading)}/`.startsWith("/srv/data/")).toBe(true);
      }
    }),
    { numRuns: 2_000 },
  );
});
