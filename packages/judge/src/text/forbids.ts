/**
 * Whether what stands before a phrase forbids it: "never delete a note without ...". A prohibition governs so many words
 * behind it, and none behind a comma or a colon, so that one somewhere earlier excuses nothing.
 */
export function forbids(before: string, words: number): boolean {
  const governed = before.slice(Math.max(before.lastIndexOf(","), before.lastIndexOf(":")) + 1);
  // A prohibition may be two words itself.
  return prohibition.test(
    governed
      .trim()
      .split(" ")
      .slice(-words - 2)
      .join(" "),
  );
}

const prohibition =
  /\b(?:never|(?:do|does|must|should|shall|may|can|could|will) not|don't|doesn't|cannot|can't|mustn't|shouldn't|won't|not to|avoids?|prevents?|rejects?|refuses?|denies|blocks?|excludes?|excluding|protects?|instead of|rather than)\b/;
