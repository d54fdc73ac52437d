import type { CodePoints } from "./code-points.ts";

/**
 * What `\p{...}` of ECMA-262 stands for: code points, or the name under which RE2 knows the general category or script.
 * Only the properties of this table: engines differ in the others, and in the Unicode version behind them.
 */
export function propertyNamed(written: string): string | CodePoints | undefined {
  const [key, value] = written.split("=");
  if (value === undefined) return key === undefined ? undefined : (binary.get(key) ?? categories.get(key));
  if (key === "General_Category" || key === "gc") return categories.get(value);
  if (key === "Script" || key === "sc") return scripts.has(value) ? value : undefined;
  return undefined;
}

const binary: ReadonlyMap<string, CodePoints> = new Map([
  ["Any", [[0, 0x10ffff]]],
  ["ASCII", [[0, 0x7f]]],
  ["ASCII_Hex_Digit", asciiHexDigits()],
  ["AHex", asciiHexDigits()],
]);

function asciiHexDigits(): CodePoints {
  return [
    [0x30, 0x39],
    [0x41, 0x46],
    [0x61, 0x66],
  ];
}

const categories: ReadonlyMap<string, string> = new Map(
  [
    ["L", "Letter"],
    ["Lu", "Uppercase_Letter"],
    ["Ll", "Lowercase_Letter"],
    ["Lt", "Titlecase_Letter"],
    ["Lm", "Modifier_Letter"],
    ["Lo", "Other_Letter"],
    ["M", "Mark", "Combining_Mark"],
    ["Mn", "Nonspacing_Mark"],
    ["Mc", "Spacing_Mark"],
    ["Me", "Enclosing_Mark"],
    ["N", "Number"],
    ["Nd", "Decimal_Number", "digit"],
    ["Nl", "Letter_Number"],
    ["No", "Other_Number"],
    ["P", "Punctuation", "punct"],
    ["Pc", "Connector_Punctuation"],
    ["Pd", "Dash_Punctuation"],
    ["Ps", "Open_Punctuation"],
    ["Pe", "Close_Punctuation"],
    ["Pi", "Initial_Punctuation"],
    ["Pf", "Final_Punctuation"],
    ["Po", "Other_Punctuation"],
    ["S", "Symbol"],
    ["Sm", "Math_Symbol"],
    ["Sc", "Currency_Symbol"],
    ["Sk", "Modifier_Symbol"],
    ["So", "Other_Symbol"],
    ["Z", "Separator"],
    ["Zs", "Space_Separator"],
    ["Zl", "Line_Separator"],
    ["Zp", "Paragraph_Separator"],
    ["Cc", "Control", "cntrl"],
    ["Cf", "Format"],
    ["Co", "Private_Use"],
  ].flatMap(([short = "", ...long]) => [short, ...long].map((name) => [name, short] as const)),
);

const scripts: ReadonlySet<string> = new Set(
  "Arabic Armenian Bengali Bopomofo Common Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Han Hangul Hebrew Hiragana Inherited Kannada Katakana Khmer Lao Latin Malayalam Mongolian Myanmar Sinhala Tamil Telugu Thai Tibetan".split(
    " ",
  ),
);
