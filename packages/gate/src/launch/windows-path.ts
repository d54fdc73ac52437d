/**
 * One spelling of an absolute path of Windows: without `\\?\`, with backslashes, the letter of the drive a capital. Any other
 * text is left as it is.
 */
export function windowsPath(text: string): string {
  const plain = text.replace(/^\\\\\?\\UNC\\/i, "\\\\").replace(/^\\\\\?\\(?=[A-Za-z]:)/, "");
  if (/^[A-Za-z]:[/\\]/.test(plain)) return `${plain[0]?.toUpperCase()}${plain.slice(1).replaceAll("/", "\\")}`;
  if (/^\\\\[^\\/?.]/.test(plain)) return plain.replaceAll("/", "\\");
  return text;
}

/**
 * Where a folder stands in a text as a whole path or as the beginning of one, in whatever case and with whatever slashes.
 *
 * @param folder as `windowsPath` spells it
 */
export function replaceWindowsFolder(text: string, folder: string, by: string): string {
  const clean = folder.replace(/\\+$/, "");
  if (clean.length < 3) return text;
  let result = "";
  let from = 0;
  for (let at = 0; at + clean.length <= text.length; at++) {
    if (!standsAt(text, at, clean)) continue;
    const start = verbatim.find((prefix) => text.startsWith(prefix, at - prefix.length)) ?? "";
    const before = text[at - start.length - 1];
    const after = text[at + clean.length];
    if (before !== undefined && /[A-Za-z0-9_.~\\/-]/.test(before)) continue;
    if (after !== undefined && /[A-Za-z0-9_.~-]/.test(after)) continue;
    result += text.slice(from, at - start.length) + by;
    from = at + clean.length;
    at = from - 1;
  }
  return result + text.slice(from);
}

const verbatim = ["\\\\?\\"];

/** Unit by unit: the whole of a text may get longer where its case is changed. */
function standsAt(text: string, at: number, folder: string): boolean {
  for (let index = 0; index < folder.length; index++) {
    const unit = text[at + index] ?? "";
    const wanted = folder[index] ?? "";
    const same = wanted === "\\" ? unit === "\\" || unit === "/" : unit.toLowerCase() === wanted.toLowerCase();
    if (!same) return false;
  }
  return true;
}
