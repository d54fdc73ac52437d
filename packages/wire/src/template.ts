/**
 * Whether `uri` can be an expansion of an approved RFC 6570 template. Both are server-controlled, so the template is not
 * made into a pattern: its literal parts are searched for in order, which is linear, and an expression stands for anything.
 */
export function fallsUnder(template: string, uri: string): boolean {
  const literals = literalsOf(template);
  if (literals === undefined) return false;
  const first = literals[0] ?? "";
  const last = literals.at(-1) ?? "";
  if (literals.length === 1) return uri === first;
  if (!uri.startsWith(first)) return false;
  let at = first.length;
  for (const literal of literals.slice(1, -1)) {
    const found = uri.indexOf(literal, at);
    if (found === -1) return false;
    at = found + literal.length;
  }
  return uri.length - last.length >= at && uri.endsWith(last);
}

/** What stands between the expressions; undefined where a brace is left open or nested. */
function literalsOf(template: string): readonly string[] | undefined {
  const literals: string[] = [];
  let rest = template;
  for (;;) {
    const open = rest.indexOf("{");
    if (open === -1) break;
    const close = rest.indexOf("}", open);
    if (close === -1 || rest.slice(open + 1, close).includes("{")) return undefined;
    literals.push(rest.slice(0, open));
    rest = rest.slice(close + 1);
  }
  return rest.includes("}") ? undefined : [...literals, rest];
}
