import type { Json, Member } from "./json.ts";

/**
 * The canonical form of docs/format.md §2: RFC 8785, with one addition for the numbers that RFC 8785 leaves to the
 * double nearest to them. Two JSON texts have the same canonical form exactly when they hold the same value.
 *
 * INVARIANT: `readJson` bounds the depth, so the recursion is bounded too.
 */
export function canonicalize(json: Json): string {
  switch (json.is) {
    case "null":
      return "null";
    case "boolean":
      return json.value ? "true" : "false";
    case "number":
      return canonicalNumber(json.token);
    case "string":
      return JSON.stringify(json.value); // RFC 8785 §3.2.2.2; lone surrogates were refused by the reader
    case "array": {
      let text = "";
      for (const item of json.items) text += text === "" ? canonicalize(item) : `,${canonicalize(item)}`;
      return `[${text}]`;
    }
    case "object": {
      let text = "";
      for (const { key, value } of sorted(json.members)) {
        text += `${text === "" ? "" : ","}${JSON.stringify(key)}:${canonicalize(value)}`;
      }
      return `{${text}}`;
    }
  }
}

function sorted(members: readonly Member[]): readonly Member[] {
  for (let at = 1; at < members.length; at++) {
    const [one, next] = [members[at - 1], members[at]];
    if (one !== undefined && next !== undefined && one.key > next.key) return [...members].sort(byKey);
  }
  return members;
}

/** RFC 8785 §3.2.3: by UTF-16 code units, which is what `<` compares. */
function byKey(a: Member, b: Member): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}

/**
 * RFC 8785 §3.2.2.3 where the shortest spelling of the nearest double is the number that was written; otherwise the
 * number itself as `<digits>e<exponent>`, so that 9007199254740993 is not 9007199254740992 and 1e400 is not 2e400.
 */
function canonicalNumber(token: string): string {
  if (/^(?:0|-?[1-9][0-9]{0,14})$/.test(token)) return token; // an integer that is its own shortest spelling
  const written = decimalOf(token);
  const nearest = Number(token);
  if (Number.isFinite(nearest)) {
    const shortest = String(nearest === 0 ? 0 : nearest); // -0 is 0: RFC 8785 §3.2.2.3
    const short = decimalOf(shortest);
    if (short.digits === written.digits && short.exponent === written.exponent && short.minus === written.minus) {
      return shortest;
    }
  }
  return `${written.minus ? "-" : ""}${written.digits}e${written.exponent}`;
}

/** The value `(-1)^minus · digits · 10^exponent`, with no zero at either end of `digits`; zero is `0 · 10^0`. */
interface Decimal {
  readonly minus: boolean;
  readonly digits: string;
  readonly exponent: bigint;
}

function decimalOf(token: string): Decimal {
  const [mantissa = "", power = "0"] = token.toLowerCase().split("e");
  const minus = mantissa.startsWith("-");
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const all = (whole + fraction).replace(/^0+/, "");
  if (all === "") return { minus: false, digits: "0", exponent: 0n };
  let end = all.length;
  while (all.charCodeAt(end - 1) === 0x30) end--;
  const exponent = BigInt(power.replace("+", "")) - BigInt(fraction.length) + BigInt(all.length - end);
  return { minus, digits: all.slice(0, end), exponent };
}
