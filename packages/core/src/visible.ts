/**
 * Server-written text as a terminal may show it. Everything that moves the cursor, changes the direction of reading or
 * shows nothing at all becomes its name between ⟦ and ⟧; ⟦ and ⟧ themselves do too, so nothing can pretend to be one.
 */
export function visible(text: string): string {
  return text.replace(
    unseen,
    (character) => `⟦U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟧`,
  );
}

/** The beginning of a text, for a message that must stay short whatever a server wrote. */
export function visibleStart(text: string): string {
  if (text.length <= 120) return visible(text);
  return `${visible(text.slice(0, 120).replace(/[\uD800-\uDBFF]$/, ""))}…`;
}

/** As `visible`, with line feeds and tabs left to lay the text out. */
export function visibleLines(text: string): string {
  return text
    .split("\n")
    .map((line) => line.split("\t").map(visible).join("\t"))
    .join("\n");
}

/**
 * Controls, format characters, line and paragraph separators, unassigned, private and surrogate code points, everything
 * that is ignorable by default, every space but the ordinary one, and the letters that are drawn as blanks.
 */
export const unseen =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cn}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}⟦⟧\u2800\u3164\uFFA0\u115F\u1160\u{1D159}\u{16FE4}\u{13441}\u{13442}]|(?! )\p{Zs}/gu;
