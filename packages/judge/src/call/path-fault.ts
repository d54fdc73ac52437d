/** Why a text is no path below one of the folders, or might be another one to whoever opens it. */
export type PathFault =
  | "not-text"
  | "empty"
  | "control"
  | "backslash"
  | "encoded"
  | "look-alike"
  | "invisible"
  | "url"
  | "drive"
  | "share"
  | "home"
  | "relative"
  | "blurred-name"
  | "outside";

export interface PathBounds {
  /** Absolute POSIX paths; the path is one of them or below one. */
  readonly folders: readonly string[];
  /** What a relative path starts from. Without it relative paths are refused. */
  readonly base?: string | undefined;
}

/**
 * Compares by the letters alone: `.` and `..` and repeated slashes are resolved, no file is looked at. A symbolic link
 * below the folder leads wherever it leads. What one program reads as a separator, a dot or an escape and another as a
 * name is refused, so that it does not matter which of them opens it.
 *
 * @param text model-controlled
 */
export function pathFault(text: string, { folders, base }: PathBounds): PathFault | undefined {
  if (text === "") return "empty";
  if (control.test(text)) return "control";
  if (text.includes("\\")) return "backslash";
  if (encoded.test(text)) return "encoded";
  if (invisible.test(text)) return "invisible";
  if (hasLookAlike(text)) return "look-alike";
  let path = text;
  if (scheme.test(text)) {
    const plain = plainFileUrl.exec(text)?.[1];
    // Read as a path it would be a relative one, so it may not climb.
    if (plain === undefined || plain.split("/").includes("..")) return "url";
    path = plain;
  }
  if (drive.test(path)) return "drive";
  if (path.startsWith("//")) return "share";
  if (!path.startsWith("/")) {
    if (path.startsWith("~") || path.startsWith("$")) return "home";
    if (base === undefined) return "relative";
    path = `${base}/${path}`;
  }
  const steps: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment === "..") steps.pop();
    // Windows opens `..`, `a` and `.git` for `.. `, `a.` and `.git `.
    else if (/[. ]$/.test(segment)) return "blurred-name";
    else steps.push(segment);
  }
  return folders.some((folder) => isBelow(steps, segmentsOf(folder))) ? undefined : "outside";
}

/** Whether a folder of an operator can be compared at all: absolute, and without anything to resolve. */
export function isPlainFolder(folder: string): boolean {
  return (
    folder.startsWith("/") && pathFault(folder, { folders: ["/"] }) === undefined && !/\/\.\.?(?:\/|$)/.test(folder)
  );
}

function segmentsOf(folder: string): readonly string[] {
  return folder.split("/").filter((segment) => segment !== "");
}

function isBelow(steps: readonly string[], folder: readonly string[]): boolean {
  return folder.length <= steps.length && folder.every((segment, index) => segment === steps[index]);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
/** Once or many times: `%2e`, `%252e`, and the `%u002e` of older readers. */
const encoded = /%(?:[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4})/;
/** HFS+ and some readers leave them out of names. */
const invisible = /\p{Default_Ignorable_Code_Point}|\p{Cf}/u;
const scheme = /^[A-Za-z][A-Za-z0-9+.-]+:/;
const plainFileUrl = /^file:\/\/(\/[^/?#][^?#]*)$/;
const drive = /^\/?[A-Za-z]:/;

/** Solidi and backslashes that look like the real ones, and are not made of them by any normal form. */
const strokes = /[\u2215\u2216\u2044\u29f5\u29f8\u29f9\u2571\u2572]|\u0337|\u0338/;

/** Characters that a compatibility normal form turns into a separator or a dot. */
function hasLookAlike(text: string): boolean {
  if (!/[^\u0020-\u007e]/.test(text)) return false;
  if (strokes.test(text)) return true;
  return Array.from(text).some((character) => character > "\u007f" && /[./\\:~%]/.test(character.normalize("NFKC")));
}
