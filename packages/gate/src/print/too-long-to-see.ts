import type { Stood } from "../standing.ts";
import { displayOf } from "./display-of.ts";
import { shownName } from "./view.ts";
import { rowsAtOnce } from "./within.ts";

export interface Long {
  /** Its kind and name; a name that is text is not shown. */
  readonly what: string;
  /** How much a person would have to read. */
  readonly characters: number;
  readonly rows: number;
}

/** The definitions that no command displays whole unless somebody turns the pages. */
export function tooLongToSee(chosen: readonly Stood[]): readonly Long[] {
  return chosen.flatMap((stood) => {
    const rows = displayOf(stood, usualScreen);
    if (rows.length <= rowsAtOnce(usualScreen)) return [];
    const { kind, name } = stood.definition.address;
    const characters = rows.reduce((sum, row) => sum + row.characters, 0);
    return [{ what: `${kind} ${shownName(name, { text: false })}`, characters, rows: rows.length }];
  });
}

/**
 * Whoever approves by a digest may have no screen. Without one `status --text` has 100 columns, four of them before the text:
 * what is approved without a word is shown there whole.
 */
const usualScreen = { text: true, colour: false, contents: true, width: 96, height: 40 };
