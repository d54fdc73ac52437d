import { type Clause, clausesOf } from "./clauses.ts";
import { type DecodedRun, decodedRuns } from "./decoded-runs.ts";
import { disguisesIn } from "./disguises.ts";
import { type Folded, fold } from "./fold.ts";

/** The views of a text that rules match. Each is made when a rule first looks at it. */
export class Reading {
  private readonly text: string;
  private whole: Folded | undefined;
  private parts: readonly Clause[] | undefined;
  private groups: number | undefined;
  private runs: readonly DecodedRun[] | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** All of it. */
  get folded(): Folded {
    this.whole ??= fold(this.text);
    return this.whole;
  }

  /** Its sentences and list items; none for a text of one word. */
  get clauses(): readonly Clause[] {
    this.parts ??= clausesOf(this.text);
    return this.parts;
  }

  /** The groups of `cue` that any of its clauses has. */
  get cues(): number {
    this.groups ??= this.clauses.reduce((all, { cues }) => all | cues, 0);
    return this.groups;
  }

  /** What stretches of it stand for. */
  get decoded(): readonly DecodedRun[] {
    this.runs ??= [...decodedRuns(this.text), ...disguisesIn(this.text, this)];
    return this.runs;
  }
}
