import { type JsonObject, readJson } from "@countersign/core";
import { type TreeFile, textOf } from "./file-tree.ts";
import { type Outcome, read, refused } from "./manifest-problem.ts";
import { jsonOfYaml } from "./yaml-text.ts";

export interface ObjectText {
  readonly text: string;
  readonly json: JsonObject;
}

/** The object that a file of JSON holds, or of YAML where its name says so. */
export function readObject(file: TreeFile): Outcome<ObjectText> {
  const own = textOf(file);
  if (own === undefined) return refused("NOT_TEXT", file.path);
  const isYaml = /\.ya?ml$/i.test(file.path);
  const text: Outcome<string> = isYaml ? jsonOfYaml(own, file.path) : read(own);
  if (text.is === "refused") return text;
  const reading = readJson(text.value);
  if (reading.is === "refused") {
    const { code, at } = reading.refusal;
    return refused(isYaml ? "NOT_YAML" : "NOT_JSON", file.path, isYaml ? code : `${code} at ${at}`);
  }
  if (reading.json.is !== "object") return refused("NOT_AN_OBJECT", file.path);
  return read({ text: text.value, json: reading.json });
}
