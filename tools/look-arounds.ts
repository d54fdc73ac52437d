/** A pattern without its look-arounds, and what each of them looks for, as patterns of their own. */
export function apart(source: string): readonly { readonly part: string; readonly around: boolean }[] {
  const arounds: { readonly part: string; readonly around: true }[] = [];
  let rest = "";
  for (let at = 0; at < source.length; ) {
    const open = /^\(\?<?[=!]/.exec(source.slice(at, at + 4))?.[0];
    const end = open === undefined ? endOfAtom(source, at) : endOfGroup(source, at);
    if (open === undefined) rest += withoutProperty(source.slice(at, end));
    else {
      for (const { part } of apart(source.slice(at + open.length, end - 1))) arounds.push({ part, around: true });
      if (/^(?:[*+?]|\{\d)/.test(source.slice(end))) throw new RangeError(`a look-around is repeated: ${source}`);
    }
    at = end;
  }
  return [{ part: rest, around: false }, ...arounds];
}

/** A class, an escape, or one character. */
function endOfAtom(source: string, at: number): number {
  if (source.charAt(at) === "\\") return at + (/^\\(?:[pP]|u)\{[^}]*\}/.exec(source.slice(at))?.[0].length ?? 2);
  if (source.charAt(at) !== "[") return at + 1;
  let end = at + 1;
  while (end < source.length && source.charAt(end) !== "]") end += source.charAt(end) === "\\" ? 2 : 1;
  return end + 1;
}

function endOfGroup(source: string, at: number): number {
  let depth = 0;
  for (let end = at; end < source.length; end = endOfAtom(source, end)) {
    if (source.charAt(end) === "(") depth++;
    else if (source.charAt(end) === ")" && --depth === 0) return end + 1;
  }
  throw new RangeError(`a look-around is open: ${source}`);
}

/** What a property holds is not asked: it may be anything. */
function withoutProperty(atom: string): string {
  if (atom.startsWith("[")) return atom.replace(/\\[pP]\{[^}]*\}/g, "\\s\\S");
  return /^\\[pP]\{/.test(atom) ? "[\\s\\S]" : atom;
}
