/** Stands for a value that is not kept. It cannot say whether two values were equal, so a new token is no change. */
export const secret = "$" + "{SECRET}";

/**
 * A text without what looks like a secret in it: the user and the query values of URLs, what follows a telling name, tokens
 * of known makes, and long words that nobody would think up.
 */
export function withoutSecrets(text: string): string {
  return text
    .replace(url, (_all, scheme: string, rest: string) => `${scheme}${withoutUser(rest)}`)
    .replace(header, (_all, name: string) => `${name}${secret}`)
    .replace(named, (_all, name: string, value: string) => {
      const quote = /^["']/.exec(value)?.[0] ?? "";
      return `${name}${quote}${secret}${quote}`;
    })
    .replace(word, (all, before: string, run: string) =>
      isPinned(before, run) || !looksRandom(run) ? all : `${before}${secret}`,
    );
}

/** Whether what a name stands for is a secret: `--api-key`, `GITHUB_TOKEN`, `Authorization`. */
export function namesSecret(name: string): boolean {
  return telling.test(name);
}

/** Bounded, and begun at the beginning of a word only: an argument may be long. */
const url = /((?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,31}:\/\/)([^\s"'<>]+)/gi;

function withoutUser(rest: string): string {
  const authority = rest.slice(0, rest.search(/[/?#]|$/));
  const port = authority
    .replace(/^\[[^\]]*\]/, "")
    .split(":")
    .slice(1)
    .join(":");
  // A password may hold any character, and then the authority only seems to end.
  const from = /^[0-9]*$/.test(port) ? authority.length : rest.length;
  const at = rest.lastIndexOf("@", from);
  const host = at === -1 || (from === authority.length && at > from) ? rest : `${secret}@${rest.slice(at + 1)}`;
  return host.replace(/[?#].*$/, (tail) => (commit.test(tail) ? tail : withoutValues(tail)));
}

/** `#` and a commit or a version say which version of a package is meant. */
const commit = /^#(?:semver:)?(?:[0-9a-f]{7,40}|v?[0-9]+(?:\.[0-9]+){0,2})$/;

function withoutValues(tail: string): string {
  const names = tail
    .slice(1)
    .split("&")
    .map((part) => /^([A-Za-z][A-Za-z0-9_.-]{0,31})=/.exec(part)?.[1]);
  const kept = names.map((name) => (name === undefined || looksRandom(name) ? secret : `${name}=${secret}`));
  return `${tail[0] ?? ""}${kept.join("&")}`;
}

const tellingEndings = [
  "token|secret|passwd|password|passphrase|credentials?|authorization|bearer|cookie|session(?:[-_]?id)?",
  "api[-_]?key|access[-_]?key(?:[-_]?id)?|private[-_]?key|secret[-_]?key|auth[-_]?key|connection[-_]?string",
  "(?:^|(?<![a-z]))(?:key|pass|pwd|pat|auth|dsn|jwt|otp|sig|signature)",
].join("|");
const telling = new RegExp(`(?:${tellingEndings})$`, "i");

/** These have a value of several words. */
const header = /((?:authorization|cookie)["']?\s*[:=]\s*|\b(?:bearer|basic)\s+)\S.*$/gis;

/** A telling name, `:` or `=`, and a value: in options, JSON, headers and connection strings. */
const named = new RegExp(`((?:${tellingEndings})["']?\\s*[:=]\\s*)(?!//)("[^"]*"?|'[^']*'?|[^\\s;&"']+)`, "gi");

const word = /((?:^|[^A-Za-z0-9_+=-])(?:sha(?:256|384|512)[:-])?)([A-Za-z0-9_+=-]{8,})/g;

/** A digest or a commit says which content is meant; it opens nothing. */
function isPinned(before: string, run: string): boolean {
  return /sha(?:256|384|512)[:-]$/.test(before) || (/[@#]$/.test(before) && /^[0-9a-f]{7,40}$/.test(run));
}

function looksRandom(run: string): boolean {
  return makes.test(run) || uuid.test(run) || run.split(/[-_=+]/).some(isDense);
}

/** How the tokens of those begin who give them a beginning of their own. */
const makes =
  /^(?:(?:sk|pk|rk|gh[oprsu]|github_pat|glpat|xox[abeoprs]|xapp|npm|hf|pypi|dop_v1|lin_api|ntn|figd|tvly|shpat|secret)[-_][-_A-Za-z0-9]{8,}|(?:eyJ|AKIA|ASIA|AIza|ya29)[-_A-Za-z0-9]{8,})$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Letters and digits without a break, as no name has them. */
function isDense(piece: string): boolean {
  if (!/[0-9]/.test(piece) || !/[A-Za-z]/.test(piece)) return /^[0-9]{24,}$/.test(piece);
  if (piece.length >= 16 && /[a-z]/.test(piece) && /[A-Z]/.test(piece)) return entropyOf(piece) >= 3.2;
  return piece.length >= 20 && entropyOf(piece) >= 3;
}

/** Bits for each character. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
