// `toEqual` asks an object for its `constructor`, which here may be any value.
import { isDeepStrictEqual as same } from "node:util";
import reference from "canonicalize";
import fc from "fast-check";
import { expect, test } from "vitest";
import { asServerName, kinds } from "./address.ts";
import { canonicalize } from "./canonical.ts";
import { type Drift, driftOf } from "./drift.ts";
import { type Json, readJson } from "./json.ts";
import { type Carrier, surfaceOf } from "./surface.ts";
import { definition, type Value, value } from "./under-test/arbitrary-definition.ts";

const rolls = fc.array(fc.noBias(fc.nat(9_999)), { minLength: 8, maxLength: 64 });
type Dice = (sides: number) => number;

/** The choices within one case: an endless run over a finite list. */
function diceOf(list: readonly number[]): Dice {
  let next = 0;
  return (sides) => (list[next++ % list.length] ?? 0) % sides;
}

function read(json: string): Json {
  const reading = readJson(json);
  if (reading.is === "refused") throw new Error(`${reading.refusal.code} at ${reading.refusal.at}`);
  return reading.json;
}

function toValue(json: Json): Value {
  switch (json.is) {
    case "null":
      return null;
    case "boolean":
    case "string":
      return json.value;
    case "number":
      return Number(json.token);
    case "array":
      return json.items.map(toValue);
    case "object":
      return Object.fromEntries(json.members.map((member) => [member.key, toValue(member.value)]));
  }
}

/** Another JSON text of the same value. */
function respell(one: Value, roll: Dice): string {
  const blank = () => ["", "", " ", "\n", "\t", "\r\n  "][roll(6)] ?? "";
  const spaced = (part: string) => blank() + part + blank();
  if (one === null || typeof one === "boolean") return spaced(String(one));
  if (typeof one === "number") return spaced(respellNumber(String(one), roll));
  if (typeof one === "string") return spaced(respellString(one, roll));
  if (Array.isArray(one)) return spaced(`[${one.map((item) => respell(item, roll)).join(",") || blank()}]`);
  const members = Object.entries(one).map(
    ([name, inner]) => `${spaced(respellString(name, roll))}:${respell(inner, roll)}`,
  );
  for (const index of members.keys()) members.push(...members.splice(roll(index + 1), 1));
  return spaced(`{${members.join(",") || blank()}}`);
}

function respellString(one: string, roll: Dice): string {
  const short = new Map([...'\b\f\n\r\t"\\/'].map((unit, index) => [unit, `\\${'bfnrt"\\/'[index]}`]));
  const units = one.split("").map((unit) => {
    const hex = unit.charCodeAt(0).toString(16).padStart(4, "0");
    const escapes = [short.get(unit), `\\u${hex}`, `\\u${hex.toUpperCase()}`].filter((one) => one !== undefined);
    const mustEscape = unit === '"' || unit === "\\" || unit < " ";
    // Half a pair is escaped only where the other half is: never, here.
    const mayEscape = !/[\ud800-\udfff]/.test(unit) && roll(3) === 0;
    return mustEscape || mayEscape ? escapes[roll(escapes.length)] : unit;
  });
  return `"${units.join("")}"`;
}

function respellNumber(shortest: string, roll: Dice): string {
  if (shortest === "0") return ["0", "0.0", "0e5", "0.00E-7", "0e+00"][roll(5)] ?? "0";
  const [, minus = "", whole = "", fraction = "", power = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e(.+))?$/.exec(shortest) ?? [];
  const zeros = roll(4);
  const digits = `${(whole + fraction).replace(/^0+(?=.)/, "")}${"0".repeat(zeros)}`;
  const exponent = Number(power) - fraction.length - zeros;
  const point = 1 + roll(digits.length);
  const e = ["e", "E"][roll(2)] ?? "e";
  const plus = ["", "+", "+00", "0"];
  const raised = (by: number) => (by < 0 ? `${e}-${["", "0", "00"][roll(3)]}${-by}` : `${e}${plus[roll(4)]}${by}`);
  switch (roll(4)) {
    case 0:
      return shortest;
    case 1:
      return `${minus}${digits}${raised(exponent)}`;
    case 2:
      return `${minus}0.${digits}${raised(exponent + digits.length)}`;
    default:
      return point === digits.length
        ? `${minus}${digits}${raised(exponent)}`
        : // Without leading zeros: only the number 0 begins with one.
          `${minus}${digits.slice(0, point)}.${digits.slice(point)}${raised(exponent + digits.length - point)}`;
  }
}

test("readJson() reads what JSON.parse reads", () => {
  fc.assert(
    fc.property(value, rolls, (one, list) => {
      const roll = diceOf(list);
      const spelled = respell(one, roll);
      expect(same(JSON.parse(spelled), one)).toBe(true);
      expect(same(toValue(read(spelled)), one)).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test("readJson() accepts and refuses what JSON.parse does, but for what it names", () => {
  const tokens = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"',
    "\\",
    "u",
    "0",
    "1",
    "-",
    ".",
    "e",
    "+",
    " ",
    "\n",
    "\u0000",
    "\u2028",
  ];
  const piece = fc.constantFrom(
    ...tokens,
    "true",
    "null",
    '"a"',
    '"a":',
    "{}",
    "[]",
    "\\ud83d",
    "\\u0061",
    "\ufeff",
    "é",
  );
  const edited = fc.tuple(value, rolls, piece).map(([one, list, put]) => {
    const roll = diceOf(list);
    const spelled = respell(one, roll);
    const at = roll(spelled.length + 1);
    return spelled.slice(0, at) + put + spelled.slice(at + roll(3));
  });
  const any = fc.oneof(
    edited,
    fc.array(piece).map((all) => all.join("")),
    fc.string({ unit: "binary" }),
  );
  fc.assert(
    fc.property(any, (input) => {
      const reading = readJson(input);
      if (reading.is === "json") expect(same(toValue(reading.json), JSON.parse(input))).toBe(true);
      else if (reading.refusal.code === "NOT_JSON") expect(() => JSON.parse(input)).toThrow(SyntaxError);
      else expect(["DUPLICATE_KEY", "LONE_SURROGATE"]).toContain(reading.refusal.code);
    }),
    { numRuns: 1_000 },
  );
});

test("readJson() says where every value and every key stands", () => {
  const check = (json: Json, input: string): void => {
    expect(canonicalize(read(input.slice(json.start, json.end)))).toBe(canonicalize(json));
    if (json.is === "array") for (const item of json.items) check(item, input);
    if (json.is !== "object") return;
    for (const member of json.members) {
      expect(input.slice(member.start, member.value.start)).toMatch(/^".*"[ \n\r\t]*:[ \n\r\t]*$/s);
      check(member.value, input);
    }
  };
  fc.assert(
    fc.property(value, rolls, (one, list) => {
      const roll = diceOf(list);
      const input = respell(one, roll);
      check(read(input), input);
    }),
    { numRuns: 200 },
  );
});

test("canonicalize() agrees with another implementation of RFC 8785 where numbers are doubles", () => {
  fc.assert(
    fc.property(fc.oneof(value, fc.jsonValue({ stringUnit: "binary" })), (one) => {
      const plain = JSON.stringify(one);
      expect(canonicalize(read(plain))).toBe(reference(JSON.parse(plain)));
    }),
    { numRuns: 300 },
  );
});

test("canonicalize() gives every spelling of a value one form, which is its own", () => {
  fc.assert(
    fc.property(value, rolls, (one, list) => {
      const roll = diceOf(list);
      const form = canonicalize(read(JSON.stringify(one)));
      expect(canonicalize(read(respell(one, roll)))).toBe(form);
      expect(canonicalize(read(form))).toBe(form);
    }),
    { numRuns: 300 },
  );
});

test("canonicalize() gives different values different forms", () => {
  fc.assert(
    fc.property(value, value, rolls, (one, two, list) => {
      const roll = diceOf(list);
      for (const other of [two, mutate(one, two, roll)]) {
        const equal = canonicalize(read(JSON.stringify(one))) === canonicalize(read(JSON.stringify(other)));
        expect(equal).toBe(same(one, other));
      }
    }),
    { numRuns: 300 },
  );
});

test("canonicalize() tells numbers apart exactly", () => {
  const digits = fc.oneof(fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }), fc.bigInt({ min: -20n, max: 20n }));
  const exponent = fc.integer({ min: -400, max: 400 });
  const scaled = ([m, e]: readonly [bigint, number], least: number) => m * 10n ** BigInt(e - least);
  fc.assert(
    fc.property(digits, exponent, fc.bigInt({ min: -2n, max: 2n }), fc.nat(4), (m, e, step, zeros) => {
      const one = [m, e] as const;
      const two = [m * 10n ** BigInt(zeros) + step, e - zeros] as const;
      const [first, second] = [one, two].map(([mantissa, power]) => canonicalize(read(`${mantissa}e${power}`)));
      expect(first === second).toBe(scaled(one, e - zeros) === scaled(two, e - zeros));
      expect(canonicalize(read(first ?? ""))).toBe(first);
    }),
    { numRuns: 1_000 },
  );
});

test("surfaceOf() loses nothing, and its pointers lead where they say", () => {
  const server = asServerName("files");
  if (server === undefined) throw new Error("no name of a server");
  fc.assert(
    fc.property(fc.constantFrom(...kinds), fc.oneof(value, definition), rolls, (kind, one, list) => {
      const roll = diceOf(list);
      const { carriers } = surfaceOf({ server, kind, name: "a" }, read(respell(one, roll)));
      expect(carriers.filter(({ part }) => part === "key").length).toBe(countKeys(one));
      expect(carriers.filter(({ part }) => part === "leaf").length).toBe(countLeaves(one));
      expect(same(rebuild(carriers), one)).toBe(true);
    }),
    { numRuns: 150 },
  );
});

function childrenOf(one: Value): readonly Value[] {
  return typeof one === "object" && one !== null ? Object.values(one) : [];
}

function countKeys(one: Value): number {
  const own = Array.isArray(one) ? 0 : childrenOf(one).length;
  return childrenOf(one).reduce<number>((count, child) => count + countKeys(child), own);
}

function countLeaves(one: Value): number {
  const children = childrenOf(one);
  return children.length === 0 ? 1 : children.reduce<number>((count, child) => count + countLeaves(child), 0);
}

interface Branch {
  named: boolean;
  leaf?: Json;
  readonly branches: Map<string, Branch>;
}

/** The value that carriers describe, found by their pointers alone. */
function rebuild(carriers: readonly Carrier[]): Value {
  const trunk: Branch = { named: false, branches: new Map() };
  for (const carrier of carriers) {
    let branch = trunk;
    for (const token of tokensOf(carrier.at)) {
      const next: Branch = branch.branches.get(token) ?? { named: false, branches: new Map() };
      branch.branches.set(token, next);
      branch = next;
    }
    if (carrier.part === "leaf") branch.leaf = carrier.json;
    else branch.named = carrier.key === tokensOf(carrier.at).at(-1);
  }
  const grow = ({ leaf, branches }: Branch): Value => {
    if (leaf !== undefined) return toValue(leaf);
    if ([...branches.values()].some(({ named }) => named)) {
      return Object.fromEntries([...branches].map(([name, branch]) => [name, grow(branch)]));
    }
    const items: Value[] = [];
    for (const [token, branch] of branches) items[Number(token)] = grow(branch);
    return items;
  };
  return grow(trunk);
}

/** RFC 6901 §4. */
function tokensOf(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

test("driftOf() is empty exactly where canonical forms are equal, and tells the whole difference", () => {
  fc.assert(
    fc.property(fc.constantFrom(...kinds), fc.oneof(value, definition), value, rolls, (kind, one, two, list) => {
      const roll = diceOf(list);
      for (const other of [one, two, mutate(one, two, roll), mutate(mutate(one, two, roll), "x", roll)]) {
        const before = read(respell(one, roll));
        const after = read(respell(other, roll));
        const drift = driftOf(kind, before, after);
        expect(drift.length === 0).toBe(canonicalize(before) === canonicalize(after));
        for (const { at, before: was, after: is } of drift) {
          expect(was).toBe(formAt(one, at));
          expect(is).toBe(formAt(other, at));
          expect(was).not.toBe(is);
        }
        expect(new Set(drift.map(({ at }) => at)).size).toBe(drift.length);
        expect(same(apply(JSON.parse(JSON.stringify(one)), drift), other)).toBe(true);
      }
    }),
    { numRuns: 150 },
  );
});

/** `one` with one thing in it replaced, taken out, put in or moved; deep in it, where it is deep. */
function mutate(one: Value, put: Value, roll: Dice): Value {
  if (typeof one !== "object" || one === null) return put;
  const entries = Object.entries(one);
  const deep = entries.filter(([, inner]) => typeof inner === "object" && inner !== null);
  const among = deep.length > 0 && roll(4) > 0 ? deep : entries;
  const chosen = among[roll(among.length + 1)];
  if (chosen === undefined) {
    entries.push([["description", "x", "__proto__"][roll(3)] ?? "", put]);
  } else {
    const at = entries.indexOf(chosen);
    const way = roll(6);
    if (way === 0) entries.splice(at, 1);
    else if (way === 1) entries.push(...entries.splice(at, 1));
    else entries[at] = [chosen[0], mutate(chosen[1], put, roll)];
  }
  return Array.isArray(one) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}

function formAt(one: Value, pointer: string): string | undefined {
  let here: Value = one;
  for (const token of tokensOf(pointer)) {
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, token)) return undefined;
    here = (here as { [key: string]: Value })[token] ?? null;
  }
  return reference(here);
}

/** What the drift says that became of `one`. */
function apply(one: Value, drift: readonly Drift[]): Value {
  const whole: { [key: string]: Value } = { "": one };
  const added = drift.filter(({ after }) => after !== undefined);
  const removed = drift.filter(({ after }) => after === undefined);
  for (const { at, after } of added) {
    const [holder, last] = holderAt(whole, at);
    const put = { value: JSON.parse(after ?? "") as Value, configurable: true, enumerable: true, writable: true };
    Object.defineProperty(holder, last, put);
  }
  for (const { at } of removed) {
    const [holder, last] = holderAt(whole, at);
    // Items are taken from the end of an array only.
    if (Array.isArray(holder)) holder.length = Math.min(holder.length, Number(last));
    else Reflect.deleteProperty(holder, last);
  }
  return whole[""] ?? null;
}

function holderAt(whole: { [key: string]: Value }, pointer: string): [holder: object, last: string] {
  const tokens = ["", ...tokensOf(pointer)];
  let holder: object = whole;
  for (const token of tokens.slice(0, -1)) {
    const inner: unknown = Object.getOwnPropertyDescriptor(holder, token)?.value;
    if (typeof inner !== "object" || inner === null) throw new Error("the drift leads nowhere");
    holder = inner;
  }
  return [holder, tokens.at(-1) ?? ""];
}
