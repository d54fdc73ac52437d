import type { Row } from "./rows.ts";
import type { View } from "./view.ts";

/**
 * Rows that are shown without being asked for: six screens, and 240 on a small one, which every terminal can scroll back to.
 * That is room for a server of some fifteen tools; of 1,150 captured definitions 42 are longer by themselves.
 */
export function rowsAtOnce({ height }: Pick<View, "height">): number {
  return Math.max(240, height * 6);
}

/** As many rows as are shown at once, and what is said of the others. */
export function within(rows: readonly Row[], view: View, howToSee: string): readonly string[] {
  const most = rowsAtOnce(view);
  const shown = rows.slice(0, most).map(({ text }) => text);
  return rows.length <= most ? shown : [...shown, `${leftOf(rows.slice(most))}; ${howToSee}`];
}

/** What rows hold, exactly, of which none was shown. */
export function leftOf(rows: readonly Row[]): string {
  const characters = rows.reduce((sum, row) => sum + row.characters, 0);
  const places = new Set(rows.map(({ at }) => at));
  const others = places.size <= 1 ? "" : ` and ${counted(places.size - 1, "more place")}`;
  return `… ${counted(characters, "more character")} in ${counted(rows.length, "more row")} of ${rows[0]?.at ?? ""}${others}`;
}

export function counted(count: number, what: string): string {
  return `${count.toLocaleString("en-US")} ${what}${count === 1 ? "" : "s"}`;
}
