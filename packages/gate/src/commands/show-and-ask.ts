import type { Row } from "../print/rows.ts";
import type { View } from "../print/view.ts";
import { counted, leftOf, rowsAtOnce } from "../print/within.ts";

/** A person at a terminal. `ask` resolves to undefined when they are gone. */
export interface Reviewer {
  readonly by: string;
  readonly say: (text: string) => void;
  readonly ask: (question: string) => Promise<string | undefined>;
}

export interface Question {
  /** All that the person decides on. */
  readonly rows: readonly Row[];
  /** Before the keys, where all of it was displayed at once. */
  readonly asked: string;
  /** What is approved: `the change`. */
  readonly approving: string;
  /** Another key and other words than `[a] approve` and `reject`. */
  readonly keys?: { readonly key: string; readonly approve: string; readonly reject: string };
  /** Another way to approve all of it, once it was displayed. */
  readonly other?: { readonly key: string; readonly approve: string };
  /** Whether Enter approves what was displayed at once. What had to be paged through has a key of its own. */
  readonly byEnter: boolean;
  /** Whether what was not displayed may be approved too, because the person said so beforehand. */
  readonly unseen: boolean;
}

export type Answer =
  /** `unseen`: a part of it was not displayed. */
  | { readonly is: "approve"; readonly unseen: boolean; readonly other?: true }
  | { readonly is: "reject" | "skip" | "gone" };

/**
 * Shows what is to be decided, as much as is shown at once, and asks. As long as a part of it was not displayed there is no
 * key that approves it: not Enter, and not the key that will.
 */
export async function showAndAsk(question: Question, reviewer: Reviewer, view: View): Promise<Answer> {
  const { rows, asked, approving, byEnter, keys = usualKeys } = question;
  let seen = Math.min(rows.length, rowsAtOnce(view));
  const paged = seen < rows.length;
  say(rows.slice(0, seen), reviewer);
  for (;;) {
    const whole = seen === rows.length;
    if (!whole) reviewer.say(`${leftOf(rows.slice(seen))}; [v] to see them, page by page`);
    const approve = whole
      ? byEnter && !paged
        ? "[Enter] yes  [s] skip"
        : `[${keys.key}] ${keys.approve} ${approving}  [Enter] skip`
      : `[v] view the rest${question.unseen ? `  [${keys.key}] ${keys.approve} unseen: ${approving}` : ""}  [Enter] skip`;
    const other = whole && question.other !== undefined ? `  [${question.other.key}] ${question.other.approve}` : "";
    const answer = await reviewer.ask(
      `${whole && !paged ? asked : ""}${approve}${other}  [r] ${keys.reject}  [q] quit `,
    );
    switch (answer?.trim().toLowerCase()) {
      case undefined:
      case "q":
        return { is: "gone" };
      case "r":
        return { is: "reject" };
      case "v": {
        const next = await page(rows, seen, reviewer, view);
        if (next === "gone") return { is: "gone" };
        seen = next;
        break;
      }
      case keys.key:
        if (whole || question.unseen) return { is: "approve", unseen: !whole };
        reviewer.say(`not approved: ${counted(rows.length - seen, "row")} of it have not been displayed`);
        break;
      case question.other?.key:
        return whole ? { is: "approve", unseen: false, other: true } : { is: "skip" };
      case "":
      case "y":
        return whole && byEnter && !paged ? { is: "approve", unseen: false } : { is: "skip" };
      default:
        return { is: "skip" };
    }
  }
}

const usualKeys = { key: "a", approve: "approve", reject: "reject" };

/** Shows the rows from `from`, a screen at a time, for as long as the person wants to. Resolves to how many were displayed. */
async function page(
  rows: readonly Row[],
  from: number,
  reviewer: Reviewer,
  { height }: View,
): Promise<number | "gone"> {
  let seen = from;
  for (;;) {
    // The last row of the screen is the question's.
    const next = Math.min(rows.length, seen + Math.max(1, height - 2));
    say(rows.slice(seen, next), reviewer);
    seen = next;
    if (seen === rows.length) {
      reviewer.say("that was the last of it");
      return seen;
    }
    const answer = await reviewer.ask(
      `${counted(rows.length - seen, "more row")}: [Enter] next page  [q] leave the pages `,
    );
    if (answer === undefined) return "gone";
    if (answer.trim() !== "") return seen;
  }
}

function say(rows: readonly Row[], reviewer: Reviewer): void {
  if (rows.length > 0) reviewer.say(rows.map(({ text }) => text).join("\n"));
}
