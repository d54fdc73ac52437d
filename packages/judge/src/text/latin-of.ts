/** What one character looks like to a reader of Latin text, in lower case; nothing for what is not shown. */
export function latinOf(character: string): string {
  const known = cache.get(character);
  if (known !== undefined) return known;
  const found = find(character);
  if (cache.size < 4096) cache.set(character, found);
  return found;
}

/** A function of the character alone, so the cache changes no answer; it is bounded because servers choose the characters. */
const cache = new Map<string, string>();

function find(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) {
    if (/[\t-\r ]/.test(character)) return " ";
    return character === "*" || code < 0x20 || code === 0x7f ? "" : character.toLowerCase();
  }
  const twin = lookAlikes.get(character);
  if (twin !== undefined) return twin;
  if (/[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Mark}]/u.test(character)) return "";
  if (/[\p{Zs}\p{Zl}\p{Zp}\u2800]/u.test(character)) return " ";
  for (const [first, letters] of alphabets) {
    if (code >= first && code < first + letters.length) return letters.charAt(code - first);
  }
  const parts = character.normalize("NFKD");
  // U+FDFA is a sentence of 18 letters, none of them Latin: a text of it would be judged as one 18 times as long.
  if (parts.length > longest) return character;
  let folded = "";
  for (const part of parts) {
    const lower = lookAlikes.get(part) ?? part.toLowerCase();
    folded += lookAlikes.get(lower) ?? lower.replace(/[\p{Mark}*]/gu, "");
  }
  return folded;
}

/** Latin letters, digits and signs in one character: `(20)`. */
const longest = 4;

/** Runs of enclosed letters that have no compatibility decomposition: each is `a` to `z` in order. */
const alphabets: readonly (readonly [first: number, letters: string])[] = [0x1f150, 0x1f170, 0x1f1e6].map((first) => [
  first,
  "abcdefghijklmnopqrstuvwxyz",
]);

/**
 * Unicode's confusables (UTS #39), the part that spells English: Cyrillic, Greek, Armenian, small capitals, letters with
 * strokes; and typographic quotes. Capitals stand apart where the small letter looks like another.
 */
const lookAlikes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: "\u0430\u0410\u03b1\u0391\u0251\u1d00",
    b: "\u0412\u0432\u0392\u0253\u0299\u042c\u044c",
    c: "\u0441\u0421\u03f2\u1d04",
    d: "\u0501\u0500\u0111\u0256\u0257\u1d05",
    e: "\u0435\u0415\u0454\u0404\u03b5\u0395\u04bd\u1d07",
    f: "\u0192\ua730",
    g: "\u0581\u0261\u0262",
    h: "\u04bb\u04ba\u0570\u041d\u043d\u0397\u0127\u029c",
    i: "\u0456\u0406\u03b9\u0399\u0131\u026a\u04cf\u04c0\u0130",
    j: "\u0458\u0408\u03f3\u1d0a",
    k: "\u043a\u041a\u03ba\u039a\u1d0b",
    l: "\u0142\u029f\u217c",
    m: "\u043c\u041c\u039c\u1d0d",
    n: "\u0578\u057c\u039d\u0274\u03b7",
    o: "\u043e\u041e\u03bf\u039f\u0585\u0555\u00f8\u1d0f",
    p: "\u0440\u0420\u03c1\u03a1\u1d18",
    q: "\u051b\u051a\u0566",
    r: "\u0433\u0280",
    s: "\u0455\u0405\ua731\u054f",
    t: "\u0442\u0422\u03c4\u03a4\u1d1b",
    u: "\u057d\u03c5\u03bc\u1d1c",
    v: "\u0475\u0474\u03bd\u1d20",
    w: "\u051d\u051c\u0461\u1d21",
    x: "\u0445\u0425\u03c7\u03a7",
    y: "\u0443\u0423\u04af\u03b3\u03a5\u028f",
    z: "\u03b6\u0396\u1d22",
    "'": "\u2018\u2019\u201b\u2032\u02bc",
    '"': "\u201c\u201d\u201e\u2033\u00ab\u00bb",
    "-": "\u2010\u2011",
    "<": "\u2039\u3008\u27e8",
    ">": "\u203a\u3009\u27e9",
  }).flatMap(([latin, twins]) => [...twins].map((twin) => [twin, latin] as const)),
);
