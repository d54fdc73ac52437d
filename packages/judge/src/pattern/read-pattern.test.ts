import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ambiguityOf } from "./ambiguity-of.ts";
import { linearMatcher } from "./linear-matcher.ts";
import { readPattern } from "./read-pattern.ts";

function matches(written: string, text: string): boolean {
  const reading = readPattern(written);
  if (reading.is === "refused") throw new Error(`${reading.because} at ${reading.at}`);
  return linearMatcher(reading.parts)(text);
}

/** What stands behind the colon is not in the pattern's language. */
test.each([
  ["^\\d+$", "042", "\u0664"],
  ["^\\w+$", "aZ_9", "\u00e9"],
  ["^\\s$", "\u2028", "a"],
  ["^[^\\s]$", "a", "\ufeff"],
  ["^.$", "\u{1F600}", "\n"],
  ["a$", "ba", "a\n"],
  ["^[^]$", "\n", ""],
  ["^[\\w-.]+$", "a-b.c", "a/b"],
  ["^[a\\-z]$", "-", "b"],
  ["^[\\]\\\\]$", "]", "["],
  ["^[\\b]$", "\b", "b"],
  ["\\bcat\\b", "a cat.", "cats"],
  ["^(?:ab){2,3}$", "ababab", "ab"],
  ["^a{3}$", "aaa", "aa"],
  ["^a{2,}?$", "aaaa", "a"],
  ["^(?<year>[0-9]{4})$", "2026", "26"],
  ["^\\u0041\\x42\\u{43}\\cJ\\0$", "ABC\n\0", "ABC"],
  ["^\\ud83d\\ude00$", "\u{1F600}", "\ud83d"],
  ["^\\p{Lu}\\P{L}$", "\u00c91", "\u00e91"],
  ["^[^\\p{L}]$", "1", "a"],
  ["^\\p{Script=Greek}+$", "\u03b1\u03b2", "ab"],
  ["^[{}]{2}$", "{}", "{"],
  ["^{a}$", "{a}", "a"],
  ["a|^b$", "xa", "xb"],
  ["", "anything", undefined],
  ["^(?!admin$)(?=.*[0-9])[a-z0-9]+$", "a1", "ab"],
  ["^(?!admin$)[a-z]+$", "administrator", "admin"],
] as const)("%s matches %j and not %j", (written, yes, no) => {
  expect(matches(written, yes)).toBe(true);
  if (no !== undefined) expect(matches(written, no)).toBe(false);
});

test.each([
  ["a(?=b)", "look-around", 1],
  ["(?<!a)b", "look-around", 0],
  ["^(?!a)b|c", "look-around", 1],
  ["(a)\\1", "backreference", 3],
  ["(?<n>a)\\k<n>", "backreference", 7],
  ["(?:a{1000}){1000}", "too-large", 0],
  ["a{100001}", "too-large", 1],
  ["(?i)a", "unknown-syntax", 0],
  ["(?P<n>a)", "unknown-syntax", 0],
  ["\\Aa\\Z", "unknown-syntax", 0],
  ["\\Qa\\E", "unknown-syntax", 0],
  ["[[:alpha:]]", "unknown-syntax", 1],
  ["\\p{Emoji}", "unknown-syntax", 0],
  ["a**", "unknown-syntax", 2],
  ["a++", "unknown-syntax", 2],
  ["(?>a)", "unknown-syntax", 0],
  ["(a", "unknown-syntax", 0],
  ["a)", "unknown-syntax", 1],
  ["[a", "unknown-syntax", 0],
  ["[z-a]", "unknown-syntax", 2],
  ["\\", "unknown-syntax", 1],
  ["+", "unknown-syntax", 0],
  ["a{2,1}", "unknown-syntax", 1],
  ["x{,3}", "unknown-syntax", 1],
] as const)("%s is refused as %s", (written, because, at) => {
  expect(readPattern(written)).toEqual({ is: "refused", because, at });
});

test.each([
  ["(a+)+$", "exponential"],
  ["(a|a)*$", "exponential"],
  ["(a|ab|b)*c", "exponential"],
  ["(a?b?)*c", "exponential"],
  ["(.*)*c", "exponential"],
  ["(a*)*", "exponential"],
  ["(x+x+)+y", "exponential"],
  ["^(\\s*\\w+\\s*,?)*$", "exponential"],
  ["(?:\\w|\\p{L})+$", "exponential"],
  ["(a{1,9}){1,9}$", "exponential"],
  ["^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$", "none"],
  ["^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,}$", "none"],
  ["^([a-f0-9]{2})+$", "none"],
  ["^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==)?$", "none"],
  ["^(?:a|b|c)*$", "none"],
  ["^(?:\\p{L}|\\p{N})+$", "none"],
  ["^(\\d{1,3},)*$", "none"],
  [`^(?:${Array.from({ length: 300 }, (_, index) => `a${index}`).join("|")})*$`, "undecided"],
] as const)("a backtracking engine's trouble with %s is %s", (written, ambiguity) => {
  const reading = readPattern(written);
  expect(reading.is).toBe("pattern");
  const parts = reading.is === "pattern" ? reading.parts : [];
  expect(parts.map(({ pattern }) => ambiguityOf(pattern, { left: 100_000 }))).toContain(ambiguity);
});

const atom = fc.constantFrom(
  "a",
  "b",
  "[ab]",
  "[^a]",
  ".",
  "\\w",
  "\\W",
  "\\b",
  "\\s",
  "[a-c\\d]",
  "\\u{1F600}",
  "\\.",
  "\\p{L}",
);
const written = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 4 },
    atom,
    fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => `${a}${b}`),
    fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => `(?:${a}|${b})`),
    fc
      .tuple(tie("pattern"), fc.constantFrom("*", "+", "?", "{2}", "{0,3}", "{1,}?", "*?"))
      .map(([a, count]) => `(?:${a})${count}`),
    tie("pattern").map((a) => `(${a})`),
  ),
})).pattern;
const text = fc
  .array(fc.constantFrom("a", "b", "c", "1", " ", "\n", ".", "\u00e9", "\u{1F600}", "\u2028"), { maxLength: 8 })
  .map((characters) => characters.join(""));

describe("[call.patterns] patterns", () => {
  test("match what ECMA-262 says, by an engine that does not backtrack", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("", "^", "^(?!b)", "^(?=.*a)"),
        written,
        fc.constantFrom("", "$"),
        text,
        (start, middle, end, subject) => {
          const pattern = `${start}${start.startsWith("^(") ? `(?:${middle})` : middle}${end}`;
          expect(matches(pattern, subject)).toBe(new RegExp(pattern, "u").test(subject));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test("any text is read or refused, and what is read compiles", () => {
    const piece = fc.constantFrom(..."abc()[]{}|*+?^$.\\-,:=!<>dDwWsSbBpPux0123".split(""), "\\p{L}", "(?:", "{1,2}");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const reading = readPattern(pieces.join(""));
        if (reading.is === "pattern") expect(typeof linearMatcher(reading.parts)("ab")).toBe("boolean");
      }),
      { numRuns: 5_000 },
    );
  });

  test.each([
    ["(", ""],
    ["(?:a|", ")*"],
    ["(?:a{2}|", "){2}"],
    ["[", ""],
    ["[a-", ""],
    ["a|", ""],
    ["a{1,2}", ""],
    ["\\u0041", ""],
    ["^(?!a)", ""],
    ["(?!a)", ""],
    ["a{0,100}", ""],
  ])("as much as may be of %s is read in a moment", (open, close) => {
    const count = Math.floor(60_000 / (open.length + close.length));
    const before = process.cpuUsage();
    for (const times of [40, 400, count]) {
      const reading = readPattern(`^${open.repeat(times)}b${close.repeat(times)}`);
      if (reading.is === "pattern") for (const { pattern } of reading.parts) ambiguityOf(pattern, { left: 100_000 });
    }
    expect(readPattern(open.repeat(1_000_000))).toEqual({ is: "refused", because: "too-large", at: 0 });
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(500);
  });

  test.each(["^(a+)+$", "^(a|a)*$", "(x+x+)+y", "^(a?){50}a{50}$", "(.*a){20}$", "^(?!(a+)+b)(a|aa)+$"])(
    "%s takes a moment on a megabyte",
    (pattern) => {
      const megabyte = `${"a".repeat(1_000_000)}!`;
      const before = process.cpuUsage();
      expect(matches(pattern, megabyte)).toBe(false);
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1_000).toBeLessThan(3_000);
    },
  );
});
