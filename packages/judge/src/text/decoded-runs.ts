import { decodeUtf8, type Span } from "@countersign/core";

/** A stretch of a text that stands for another text. */
export interface DecodedRun {
  readonly span: Span;
  readonly encoding: "base64" | "hex" | "percent" | "escape" | "entity" | "rot13" | "reversed" | "spaced" | "leet";
  /** Server-controlled. */
  readonly says: string;
  /** Much of it is spelled out anyway, as in a URL, or it is the content of a `data:` URL. */
  readonly ordinary: boolean;
}

/** The encoded runs that decode to several words. Keys, hashes, identifiers and images decode to no words. */
export function decodedRuns(text: string): readonly DecodedRun[] {
  if (text.length < 20) return [];
  const runs: DecodedRun[] = [];
  for (const { encoding, sign, pattern, decode } of encodings) {
    if (!sign(text)) continue;
    for (const { index: found, 0: body } of text.matchAll(pattern)) {
      // Percent escapes stand among letters that need none: `ignore%20all`.
      const before =
        encoding === "percent" ? (/[\w.~-]{0,64}$/.exec(text.slice(Math.max(0, found - 64), found))?.[0] ?? "") : "";
      const run = before + body;
      const index = found - before.length;
      const says = decode(run.slice(0, longest)).map(readable).find(isProse);
      if (says === undefined) continue;
      const ordinary =
        encoding === "percent"
          ? (run.match(/%/g)?.length ?? 0) * 6 < run.length
          : /data:[\w.+-]{1,64}\/[\w.+-]{1,64}(?:;[\w=.+-]{1,64}){0,4},$/.test(
              text.slice(Math.max(0, index - 300), index),
            );
      runs.push({ span: { start: index, end: index + run.length }, encoding, says, ordinary });
    }
  }
  return runs.sort((a, b) => a.span.start - b.span.start);
}

/** Characters of one run that are decoded; a multiple of four, for base64. */
const longest = 65_536;

/** What comes before the first thing that is no text: a tail of rubbish does not hide the words. */
function readable(text: string): string {
  const end = text.search(unreadable);
  return end === -1 ? text : text.slice(0, end);
}

const unreadable = /[^\P{C}\p{Cf}\t\n\r]/u;

/** Words with spaces between them. A command line has few letters. */
function isProse(text: string): boolean {
  if (text.length < 12) return false;
  return (text.match(/\S\s+(?=\S)/g)?.length ?? 0) >= 2 && (text.match(/\p{L}/gu)?.length ?? 0) * 5 >= text.length;
}

const encodings: readonly {
  readonly encoding: DecodedRun["encoding"];
  /** Whether there may be such a run. */
  readonly sign: (text: string) => boolean;
  readonly pattern: RegExp;
  /** What the run may say; more than one text where its beginning is uncertain. */
  readonly decode: (run: string) => readonly string[];
}[] = [
  {
    encoding: "base64",
    sign: (text) => /[A-Za-z0-9+/_-]{20}/.test(text),
    pattern: /[A-Za-z0-9+/_-]{20,}={0,2}/g,
    decode: fromBase64,
  },
  {
    encoding: "hex",
    sign: (text) => /(?:[0-9A-Fa-f]{2}[ :,]?){12}/.test(text),
    pattern: /(?:[0-9A-Fa-f]{2}[ :,]?){12,}/g,
    decode: fromHex,
  },
  {
    encoding: "percent",
    sign: (text) => /%[0-9A-Fa-f]{2}/.test(text),
    pattern: /%[0-9A-Fa-f]{2}(?:[\w.~!$&'()*+,;=:@/?-]{0,64}%[0-9A-Fa-f]{2}){2,}[\w.~!$&'()*+,;=:@/?-]{0,64}/g,
    decode: fromPercent,
  },
  {
    encoding: "escape",
    sign: (text) => text.includes("\\"),
    pattern: /(?:\\(?:u[0-9A-Fa-f]{4}|u\{[0-9A-Fa-f]{1,6}\}|x[0-9A-Fa-f]{2}) ?){6,}/g,
    decode: (run) => fromCodes(run, /\\(?:u\{?|x)([0-9A-Fa-f]{1,6})\}?| /g),
  },
  {
    encoding: "entity",
    sign: (text) => text.includes("&#"),
    pattern: /(?:&#(?:x[0-9A-Fa-f]{1,6}|[0-9]{1,7}); ?){6,}/g,
    decode: (run) => fromCodes(run, /&#(?:x([0-9A-Fa-f]{1,6})|([0-9]{1,7}));| /gi),
  },
];

function fromBase64(run: string): readonly string[] {
  const plain = run
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .replace(/={1,2}$/, "");
  // A word in front may have run into it, as in `x-aWdub3Jl`, so that the words begin anywhere.
  return [0, 1, 2, 3].flatMap((skipped) => {
    const whole = plain.length - skipped - ((plain.length - skipped) % 4 === 1 ? 1 : 0);
    return textsIn(atob(plain.slice(skipped, skipped + whole)));
  });
}

function fromHex(run: string): readonly string[] {
  const digits = run.replace(/[ :,]/g, "");
  // So may a word in front that ends like hexadecimal.
  return [0, 1].flatMap((skipped) => {
    let binary = "";
    for (let at = skipped; at + 1 < digits.length; at += 2)
      binary += String.fromCharCode(Number.parseInt(digits.slice(at, at + 2), 16));
    return textsIn(binary);
  });
}

/** The stretches of some bytes that are text in UTF-8, and long enough for a sentence. */
function textsIn(binary: string): readonly string[] {
  return (binary.match(stretches) ?? []).flatMap((stretch) => utf8Of(stretch).split(unreadable));
}

const stretches =
  /(?:[\t\n\r\x20-\x7e]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}){12,}/g;

function fromPercent(run: string): readonly string[] {
  const binary = run.replace(/%([0-9A-Fa-f]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return [utf8Of(binary.replaceAll("+", " "))];
}

function fromCodes(run: string, each: RegExp): readonly string[] {
  let text = "";
  for (const { 1: hexadecimal, 2: decimal } of run.matchAll(each)) {
    const point = hexadecimal === undefined ? Number(decimal ?? 32) : Number.parseInt(hexadecimal, 16);
    if (point > 0x10ffff) return [];
    text += String.fromCodePoint(point);
  }
  return [text];
}

/** UTF-8 without what a cut may have left of a character; of anything else, the ASCII that it begins with. */
function utf8Of(binary: string): string {
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  let end = bytes.length;
  while (end > bytes.length - 4 && (bytes[end - 1] ?? 0) >= 0x80) end--;
  return decodeUtf8(bytes.subarray(0, end)) ?? /^[\t\n\r\x20-\x7e]*/.exec(binary)?.[0] ?? "";
}
