/** Whether `a` becomes `b` by at most so many letters inserted, left out or replaced. Linear for few edits. */
export function withinEdits(a: string, b: string, edits: number): boolean {
  return Math.abs(a.length - b.length) <= edits && isWithin(a, 0, b, 0, edits);
}

function isWithin(a: string, from: number, b: string, to: number, edits: number): boolean {
  let i = from;
  let j = to;
  while (i < a.length && j < b.length && a.charCodeAt(i) === b.charCodeAt(j)) {
    i++;
    j++;
  }
  const left = Math.max(a.length - i, b.length - j);
  if (left <= edits) return true;
  if (edits === 0 || i === a.length || j === b.length) return false;
  return (
    isWithin(a, i + 1, b, j + 1, edits - 1) ||
    isWithin(a, i + 1, b, j, edits - 1) ||
    isWithin(a, i, b, j + 1, edits - 1)
  );
}
