import { lists, type Source } from "@countersign/core";
import { realPathOf } from "../project/repository.ts";
import type { Note, Verified } from "./notes.ts";

/** One source of a server, and when it was last verified, if a guard that runs or ran last says so. */
export type VerifiedRow = Verified | { readonly source: string };

/** @param sources of what the server was ever seen to offer: a note is only a file, and names no other */
export function lastVerified(
  notes: readonly Note[],
  { server, ledger, sources }: { server: string; ledger: string; sources: Iterable<Source> },
): readonly VerifiedRow[] {
  const last = new Map<string, Verified>();
  for (const note of notes) {
    if (note.server !== server || realPathOf(note.ledger) !== realPathOf(ledger)) continue;
    for (const verified of note.verified) {
      const before = last.get(verified.source);
      if (before === undefined || before.at < verified.at) last.set(verified.source, verified);
    }
  }
  // A file is read when somebody says so, and by no guard.
  const ordered = [...sources]
    .filter((source) => source !== "manifest")
    .toSorted((a, b) => order.indexOf(a) - order.indexOf(b));
  return ordered.map((source) => last.get(source) ?? { source });
}

const order: readonly Source[] = ["launch", "initialize", "server/discover", ...lists.keys()];
