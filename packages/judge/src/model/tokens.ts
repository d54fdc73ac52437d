import { denseWordAt } from "./other-languages.ts";

/** A word of a clause, or what stands for all words of its sort. */
export interface Token {
  readonly text: string;
  readonly sort: "word" | "name" | "mark" | "signs";
}

/**
 * The words of a folded clause. Addresses, paths and numbers become one word each; what no sentence holds (`read_file`, or
 * anything like it in quotes) is a name, and which one is for the context to say. Scripts that put no spaces between words
 * are cut into overlapping pairs and triples.
 *
 * The server wrote the clause: it is walked once, and every look ahead is bounded.
 */
export function tokensOf(clause: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < clause.length && tokens.length < most) {
    const code = clause.charCodeAt(at);
    if (code === 0x20) at++;
    else if (isLatinLetter(code)) at = readWord(clause, at, tokens);
    else if (isDigit(code)) at = readNumber(clause, at, tokens);
    else if (code > 0x7f) at = readOther(clause, at, tokens);
    else at = readMark(clause, at, code, tokens);
  }
  return tokens;
}

/** Tokens of one clause. A sentence has a tenth of it. */
const most = 400;
/** Code units of a word. */
const longest = 64;

function readWord(clause: string, start: number, tokens: Token[]): number {
  let end = start + 1;
  let joined = false;
  for (; end < clause.length && end - start < longest; end++) {
    const code = clause.charCodeAt(end);
    if (isLatinLetter(code) || isDigit(code)) continue;
    if (code === underscore) joined = true;
    else if ((code === apostrophe || code === hyphen || code === 0x2019) && isLatinLetter(clause.charCodeAt(end + 1)))
      continue;
    else if (code > 0xbf && isLetter(clause, end)) continue;
    else break;
  }
  if (clause.startsWith("://", end)) {
    tokens.push({ text: "<url>", sort: "mark" });
    return endOf(clause, end, urlEnd, 500);
  }
  if (clause.charCodeAt(end) === 0x40 && isLatinLetter(clause.charCodeAt(end + 1))) {
    tokens.push({ text: "<email>", sort: "mark" });
    return endOf(clause, end + 1, emailEnd, 128);
  }
  const text = clause.slice(start, end);
  if (!joined) tokens.push({ text, sort: "word" });
  else if (isSecretName.test(text)) tokens.push({ text: "<secret path>", sort: "mark" });
  else tokens.push({ text, sort: "name" });
  return end;
}

function readNumber(clause: string, start: number, tokens: Token[]): number {
  tokens.push({ text: "<number>", sort: "mark" });
  return endOf(clause, start, numberEnd, longest);
}

function readMark(clause: string, at: number, code: number, tokens: Token[]): number {
  if (code === 0x22 || code === apostrophe || code === 0x60) {
    quoted.lastIndex = at + 1;
    const [whole = "", text = ""] = quoted.exec(clause) ?? [];
    if (clause.charCodeAt(at + whole.length) !== code || whole === "") return at + 1;
    tokens.push({ text, sort: "name" });
    return at + 1 + whole.length;
  }
  if (pathStart.has(code)) {
    path.lastIndex = at;
    const [whole = ""] = path.exec(clause) ?? [];
    if (whole !== "") tokens.push({ text: isSecretPath.test(whole) ? "<secret path>" : "<path>", sort: "mark" });
    if (whole !== "") return at + whole.length;
  }
  if (telling.has(code)) tokens.push({ text: clause.charAt(at), sort: "mark" });
  return at + 1;
}

function readOther(clause: string, start: number, tokens: Token[]): number {
  dense.lastIndex = start;
  const [run = ""] = dense.exec(clause) ?? [];
  if (run !== "") {
    const signs = Array.from(run);
    for (let at = 0, free = 0; at < signs.length; at++) {
      const known = at < free ? undefined : denseWordAt(signs, at);
      if (known !== undefined) {
        tokens.push({ text: known, sort: "word" });
        free = at + Array.from(known).length;
      }
      if (at + 1 < signs.length || signs.length === 1)
        tokens.push({ text: signs.slice(at, at + 2).join(""), sort: "signs" });
      if (at + 2 < signs.length) tokens.push({ text: signs.slice(at, at + 3).join(""), sort: "signs" });
    }
    return start + run.length;
  }
  letters.lastIndex = start;
  const [word = ""] = letters.exec(clause) ?? [];
  if (word !== "") tokens.push({ text: word, sort: "word" });
  return start + (word.length || ((clause.codePointAt(start) ?? 0) > 0xffff ? 2 : 1));
}

function endOf(clause: string, start: number, end: RegExp, furthest: number): number {
  end.lastIndex = start;
  return (
    start +
    Math.max(
      1,
      end.exec(clause.length > start + furthest ? clause.slice(0, start + furthest) : clause)?.[0].length ?? 1,
    )
  );
}

/** All sticky: they read from `lastIndex` and nowhere else. */
const urlEnd = /[^\s<>"'`)]*/y;
const emailEnd = /[\w.-]*/y;
const numberEnd = /[\d.,:]*/y;
/** Behind the mark that begins it. */
const quoted = /([a-z][\w.-]{1,63})(?:\(\))?[`"']/y;
const path =
  /(?:~|\.{1,2}|%[a-z]{1,20}%|\$\{?[a-z_]{1,20}\}?)?\/(?:[\w.@~-]{1,64}\/){0,12}[\w.@~-]{2,64}|\.(?:env|ssh|aws|netrc|npmrc|pgpass|kube|git-credentials|bash_history)\b/y;
const dense =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30FC]{1,200}/uy;
const letters = /[\p{L}\p{M}][\p{L}\p{M}\p{N}]{0,40}(?:['’-]\p{L}[\p{L}\p{M}\p{N}]{0,40}){0,4}/uy;

const isSecretName = /^id_(?:rsa|ed25519|ecdsa)$/;
const isSecretPath =
  /\.(?:env|ssh|aws|netrc|npmrc|pgpass|kube|git-credentials|bash_history|pem|key|gnupg|docker)\b|id_(?:rsa|ed25519|ecdsa)|passwd|shadow|credential|secret|token|wallet|keychain|mcp\.json|cookies/;

const underscore = 0x5f;
const apostrophe = 0x27;
const hyphen = 0x2d;
const pathStart: ReadonlySet<number> = new Set([..."~./%$"].map((mark) => mark.charCodeAt(0)));
const telling: ReadonlySet<number> = new Set([..."<>!:"].map((mark) => mark.charCodeAt(0)));

function isLatinLetter(code: number): boolean {
  return code >= 0x61 && code <= 0x7a;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isLetter(clause: string, at: number): boolean {
  return (
    /\p{L}/u.test(clause.charAt(at)) &&
    !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(clause.charAt(at))
  );
}
