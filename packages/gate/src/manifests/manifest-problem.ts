/** Why nothing of a manifest can be judged. Paths and names are whoever's who published it. */
export interface ManifestProblem {
  readonly code:
    | "NOT_KNOWN"
    | "NOT_THERE"
    | "NOT_READABLE"
    | "NOT_TEXT"
    | "NOT_JSON"
    | "NOT_YAML"
    | "NOT_AN_OBJECT"
    | "NO_MANIFEST"
    | "TOO_LARGE"
    | "TOO_MANY_FILES"
    | "ODD_FILE"
    | "LINK_LEAVES"
    | "CHANGED_MEANWHILE"
    | "NO_ZIP"
    | "ZIP_NAME"
    | "ZIP_LINK"
    | "ZIP_TWICE"
    | "ZIP_OVERLAPS"
    | "ZIP_DISAGREES"
    | "ZIP_BOMB"
    | "ZIP_METHOD"
    | "ZIP_ENCRYPTED";
  /** Where: a file, or a place in it. */
  readonly at?: string;
  /** What the reader of its format says, or the system. */
  readonly because?: string;
}

export type Outcome<T> =
  | { readonly is: "read"; readonly value: T }
  | { readonly is: "refused"; readonly problem: ManifestProblem };

export function refused(
  code: ManifestProblem["code"],
  at?: string,
  because?: string,
): { is: "refused"; problem: ManifestProblem } {
  return {
    is: "refused",
    problem: { code, ...(at === undefined ? {} : { at }), ...(because === undefined ? {} : { because }) },
  };
}

export function read<T>(value: T): { is: "read"; value: T } {
  return { is: "read", value };
}
