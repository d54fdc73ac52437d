import type { Role } from "@countersign/core";
import type { Row, Withheld } from "./report.ts";

/** What the second arm of the proof found. Server-controlled text is in it: show that only through an escape. */
export interface PlantReport {
  readonly definitions: number;
  readonly carriers: number;
  /** Of each carrier at least one. What is planted is located, refused or missed. */
  readonly planted: number;
  /** Found by the description gate in that carrier, at the payload. */
  readonly located: number;
  /** In a place that holds no such text: the definition is refused as malformed, there. */
  readonly refused: number;
  readonly missed: readonly Unlocated[];
  /** How many of these were the only thing planted in their copy of the definition. The others had company. */
  readonly alone: number;
  readonly counts: PlantCounts;
  /** What is malformed before anything is planted. Nobody judges it, so nothing is proved of it. */
  readonly withheld: readonly Withheld[];
}

/** By what a definition is, what its carriers are for, what was planted, and how. */
export type PlantCounts = Readonly<Record<"kind" | "role" | "family" | "way", Readonly<Record<string, PlantCount>>>>;

export interface PlantCount {
  readonly planted: number;
  readonly located: number;
  readonly refused: number;
}

/** A payload that no rule asked about or refused where it stands. */
export interface Unlocated extends Row {
  /** RFC 6901, of the carrier before anything was planted. */
  readonly pointer: string;
  readonly part: "key" | "leaf";
  readonly role: Role;
  readonly family: string;
  readonly way: string;
  /** The payload with what stands around it in the carrier. */
  readonly says: string;
  /** Whether nothing else was planted in that copy of the definition. */
  readonly alone: boolean;
  readonly happened: /** It is not located, and would not be alone. The detail: what is said instead, elsewhere or as a note. */
    | "UNSEEN"
    /** It is not located in company, and is alone. */
    | "UNSEEN_IN_COMPANY"
    /** Nothing of the definition is judged. The detail: a code, or the places that are malformed. */
    | "NOT_JUDGED";
  readonly detail: readonly string[];
}

/** One report of several, in their order. */
export function joinedPlants(reports: readonly PlantReport[]): PlantReport {
  const sum = (of: (report: PlantReport) => number) => reports.reduce((total, report) => total + of(report), 0);
  const counted = (by: keyof PlantCounts) => sumOfCounts(reports.map(({ counts }) => counts[by]));
  return {
    definitions: sum(({ definitions }) => definitions),
    carriers: sum(({ carriers }) => carriers),
    planted: sum(({ planted }) => planted),
    located: sum(({ located }) => located),
    refused: sum(({ refused }) => refused),
    missed: reports.flatMap(({ missed }) => missed),
    alone: sum(({ alone }) => alone),
    counts: { kind: counted("kind"), role: counted("role"), family: counted("family"), way: counted("way") },
    withheld: reports.flatMap(({ withheld }) => withheld),
  };
}

function sumOfCounts(counts: readonly Readonly<Record<string, PlantCount>>[]): Readonly<Record<string, PlantCount>> {
  const names = [...new Set(counts.flatMap((one) => Object.keys(one)))].sort();
  const sum = (name: string, of: keyof PlantCount) => counts.reduce((total, one) => total + (one[name]?.[of] ?? 0), 0);
  return Object.fromEntries(
    names.map((name) => [
      name,
      { planted: sum(name, "planted"), located: sum(name, "located"), refused: sum(name, "refused") },
    ]),
  );
}
