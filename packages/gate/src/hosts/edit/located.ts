/** A value of a document, and where in its text it stands. Offsets are into the text without its byte order mark. */
export type Located = { readonly start: number; readonly end: number } & (
  | { readonly is: "scalar"; readonly value: string | undefined; readonly isNull: boolean }
  /** `flow`: within brackets, its parts separated by commas; otherwise one part a line. */
  | { readonly is: "array"; readonly flow: boolean; readonly items: readonly LocatedItem[] }
  | { readonly is: "object"; readonly flow: boolean; readonly members: readonly LocatedMember[] }
  /** It stands elsewhere, as what a YAML alias names does: whoever edits it edits more than this. */
  | { readonly is: "elsewhere" }
);

export interface LocatedItem {
  /** Of its dash, where it has one. */
  readonly start: number;
  readonly value: Located;
}

export interface LocatedMember {
  readonly key: string;
  readonly start: number;
  readonly keyEnd: number;
  /** What stands before the last part of a dotted key: `files.` */
  readonly prefix: string;
  readonly value: Located;
}

export type LocatedArray = Extract<Located, { is: "array" }>;
export type LocatedObject = Extract<Located, { is: "object" }>;

/** The value that keys and indexes lead to. Of two equal keys the last counts. */
export function locatedAt(root: Located, at: readonly (string | number)[]): Located | undefined {
  let value: Located | undefined = root;
  for (const key of at) {
    if (value?.is === "array" && typeof key === "number") value = value.items[key]?.value;
    else if (value?.is === "object" && typeof key === "string") value = memberNamed(value, key)?.value;
    else return undefined;
  }
  return value;
}

export function memberNamed(object: LocatedObject, key: string): LocatedMember | undefined {
  return object.members.findLast((member) => member.key === key);
}
