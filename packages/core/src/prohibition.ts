/**
 * Sentences and list items, with white space, apostrophes and case made alike: an edit elsewhere in a text does not move
 * them.
 */
export function clausesOf(text: string): readonly string[] {
  return text
    .split(/[.!?;\n。．！？；]+/)
    .map((clause) => clause.replace(/\s+/g, " ").replaceAll("’", "'").trim().toLowerCase())
    .filter((clause) => clause !== "");
}

/** Whether a clause holds the agent back. */
export function isProhibition(clause: string): boolean {
  return /\b(?:never|do not|don't|must not|mustn't|should not|shouldn't|cannot|can't|not (?:allowed|permitted)|forbidden|prohibited|avoid|only (?:if|when|after|with)|without (?:asking|confirmation|approval)|read-only|irreversible|destructive|requires? (?:confirmation|approval))\b/.test(
    clause,
  );
}
