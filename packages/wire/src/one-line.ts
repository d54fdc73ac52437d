/**
 * A message as it may go out: on one line for every reader. Node's `readline`, Python's text pipes and Java's `readLine`
 * also end lines at CR; Python's `splitlines` and Java's `Scanner` at U+0085, U+2028 and U+2029 as well. Each could read
 * the rest as a message that nobody judged. Within JSON, CR and LF are white space and the others stand only in strings.
 */
export function oneLine(text: string): string {
  if (!endsLines(text)) return text;
  // Piece by piece: a pattern that matches a million times at once takes hundreds of megabytes.
  const pieces: string[] = [];
  for (let from = 0; from < text.length; from += piece) {
    pieces.push(text.slice(from, from + piece).replace(ends, (end) => separators.get(end) ?? " "));
  }
  return pieces.join("");
}

/** How many bytes longer a message goes out than it came in, at most. */
export function growthOf(text: string): number {
  let growth = 0;
  if (!endsLines(text)) return growth;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x85) growth += 4;
    else if (unit === 0x2028 || unit === 0x2029) growth += 3;
  }
  return growth;
}

function endsLines(text: string): boolean {
  return lineEnds.some((end) => text.includes(end));
}

const separators: ReadonlyMap<string, string> = new Map([
  ["\u0085", "\\u0085"],
  ["\u2028", "\\u2028"],
  ["\u2029", "\\u2029"],
]);
const lineEnds = ["\r", "\n", ...separators.keys()];
/** White space that holds CR or LF stands between tokens, where one space is as good. */
const ends = /[\r\n][\r\n \t]*|[\u0085\u2028\u2029]/g;
const piece = 64 * 1024;
