import { type Carrier, type Span, textOf } from "@countersign/core";

/** A carrier that holds text, and as much of the text as is read. */
export interface Share extends Pick<Carrier, "at" | "part" | "role"> {
  readonly text: string;
}

/** Where the reading of a definition stopped, and how much there is of it. */
export interface Unread extends Pick<Carrier, "at" | "part"> {
  /** From where it stopped to the end of that text; what stands behind it was not read either. */
  readonly span: Span;
  /** Code units of text, read or not. */
  readonly of: number;
}

/**
 * Code units of text that rules read in one definition, keys among them. A count and no clock, because a verdict is the same
 * on every machine; and of text alone, because every rule is linear in it. The largest of 991 captured definitions and of
 * 10,471 others has 60,361.
 */
export const mostRead = 524_288;

/** The texts of a definition in document order, as far as they are read. */
export function shareRead(carriers: readonly Carrier[]): {
  readonly read: readonly Share[];
  readonly unread: Unread | undefined;
} {
  const read: Share[] = [];
  let stopped: Omit<Unread, "of"> | undefined;
  let of = 0;
  for (const carrier of carriers) {
    const text = textOf(carrier);
    if (text === undefined) continue;
    const { at, part, role } = carrier;
    const left = mostRead - of;
    of += text.length;
    if (text.length <= left) read.push({ at, part, role, text });
    else if (stopped === undefined) {
      const end = endWithin(text, left);
      if (end > 0) read.push({ at, part, role, text: text.slice(0, end) });
      stopped = { at, part, span: { start: end, end: text.length } };
    }
  }
  return { read, unread: stopped === undefined ? undefined : { ...stopped, of } };
}

/** No half of a surrogate pair is read. */
function endWithin(text: string, left: number): number {
  const unit = text.charCodeAt(left - 1);
  return unit >= 0xd800 && unit <= 0xdbff ? left - 1 : left;
}
