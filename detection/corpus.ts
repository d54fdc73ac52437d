import { createReadStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** A tool object as its server sent it. Other people's text. */
export type Tool = Readonly<Record<string, unknown>> & { readonly name: string };

export interface Attack {
  readonly id: string;
  readonly source: string;
  readonly kind: string;
  /** `prose` is what the description gate must find; the others are reported apart. */
  readonly scope: string;
  /** Near-duplicates share one. */
  readonly template: string;
  readonly server: string;
  readonly tool: Tool;
  /** What the tool's clean twin lacks. */
  readonly payload: string;
}

export interface Benign {
  readonly id: string;
  readonly source: string;
  /** Written to look bad. */
  readonly hard: boolean;
  /** Made up, not taken from a server. */
  readonly synthetic: boolean;
  readonly server: string;
  readonly tool: Tool;
}

export interface Change {
  readonly id: string;
  readonly source: string;
  readonly label: "benign" | "malicious";
  readonly kind: string;
  readonly before: Tool;
  readonly after: Tool;
}

export interface Corpus {
  readonly attacks: readonly Attack[];
  readonly benign: readonly Benign[];
  /** A public catalogue: names and descriptions only. */
  readonly catalogue: readonly Benign[];
  readonly changes: readonly Change[];
}

/**
 * Reads `attacks.jsonl`, `benign.jsonl` and, where they are, `benign-catalogue-sample.jsonl` and `drift.jsonl`.
 *
 * @throws CorpusError where a row is not of the form above
 */
export async function readCorpus(folder: string): Promise<Corpus> {
  return {
    attacks: await rows(join(folder, "attacks.jsonl"), attackOf),
    benign: await rows(join(folder, "benign.jsonl"), benignOf),
    catalogue: await rows(join(folder, "benign-catalogue-sample.jsonl"), benignOf, true),
    changes: await rows(join(folder, "drift.jsonl"), changeOf, true),
  };
}

/** What is measured on, or learned from, cannot be read. */
export class CorpusError extends Error {
  override readonly name = "CorpusError";
}

type Row = Readonly<Record<string, unknown>>;

async function rows<T>(file: string, read: (row: Row) => T, optional = false): Promise<readonly T[]> {
  const found: T[] = [];
  let line = 0;
  try {
    for await (const text of createInterface({ input: createReadStream(file) })) {
      line++;
      if (text.trim() !== "") found.push(read(JSON.parse(text)));
    }
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (optional && isMissing) return [];
    const because = error instanceof Error ? error.message : String(error);
    const what = isMissing ? `there is no ${file}` : `${file}, line ${line}: ${because}`;
    throw new CorpusError(`Cannot read the corpus: ${what}`, { cause: error });
  }
  return found;
}

function attackOf(row: Row): Attack {
  return {
    ...{ id: text(row, "id"), source: text(row, "source"), kind: text(row, "kind"), scope: text(row, "scope") },
    ...{ template: text(row, "template"), server: text(row, "server"), tool: tool(row, "tool") },
    payload: typeof row["payload"] === "string" ? row["payload"] : "",
  };
}

function benignOf(row: Row): Benign {
  return {
    ...{ id: text(row, "id"), source: text(row, "source"), server: text(row, "server"), tool: tool(row, "tool") },
    ...{ hard: row["hard_negative"] === true, synthetic: row["synthetic_origin"] === true },
  };
}

function changeOf(row: Row): Change {
  const label = text(row, "label");
  if (label !== "benign" && label !== "malicious") throw new TypeError(`the label ${label} is unknown`);
  return {
    ...{ id: text(row, "id"), source: text(row, "source"), label, kind: text(row, "kind") },
    ...{ before: tool(row, "before"), after: tool(row, "after") },
  };
}

function text(row: Row, field: string): string {
  const value = row[field];
  if (typeof value !== "string") throw new TypeError(`${field} is no text`);
  return value;
}

function tool(row: Row, field: string): Tool {
  const value = row[field];
  if (typeof value !== "object" || value === null || !("name" in value) || typeof value.name !== "string") {
    throw new TypeError(`${field} is no tool`);
  }
  return { ...value, name: value.name };
}
