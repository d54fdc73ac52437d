import type { Json } from "@countersign/core";
import { isPlainFolder } from "./path-fault.ts";

/** The folders that a `pathUnder` names; undefined where it is not written as one has to be. */
export function foldersOf(argument: Json): readonly string[] | undefined {
  const folders = argument.is === "array" ? argument.items : [argument];
  const plain = folders.flatMap((folder) => (folder.is === "string" && isFolder(folder) ? [folder.value] : []));
  return plain.length === folders.length && plain.length > 0 ? plain : undefined;
}

export function isFolder(json: Json): boolean {
  return json.is === "string" && isPlainFolder(json.value);
}
