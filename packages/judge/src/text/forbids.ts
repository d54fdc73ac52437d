/**
 * Whether what stands before a phrase forbids it: "never delete a note without ...". A prohibition governs so many words
 * behind it, and none behind a comma, a colon or the beginning of another sentence, so that one somewhere earlier excuses
 * nothing.
 */
export function forbids(before: string, words: number): boolean {
  let sentence = -1;
  for (const { index } of before.matchAll(sentences)) sentence = index;
  const governed = before.slice(Math.max(before.lastIndexOf(","), before.lastIndexOf(":"), sentence) + 1);
  // A prohibition may be two words itself.
  return prohibition.test(
    governed
      .trim()
      .split(" ")
      .slice(-words - 2)
      .join(" "),
  );
}

/** The same before a sentence of its own. A verb right before it, such as `block`, governs none: it is somebody's name. */
export function forbidsSentence(before: string, words: number): boolean {
  return forbids(before.replace(preventing, ""), words);
}

const preventing = /\b(?:avoids?|prevents?|rejects?|refuses?|denies|blocks?|excludes?|protects?):? $/;

/** Subjects that begin a sentence, where nobody has set a full stop before it. */
const sentences =
  /(?<!\b(?:that|if|when|while|where|which|because|since|unless|until|whether|before|after|than) )\b(?:this|it|these|they) (?:is|are|was|were|must|should|will|shall|has|have)\b/g;

/** `block` and `exclude` may be names, or parts of one, as well: no order follows such a verb, only what it is about. */
const prohibition =
  /\b(?:never|(?:do|does|must|should|shall|may|can|could|will) not|don't|doesn't|cannot|can't|mustn't|shouldn't|won't|not to|(?<![/._-])(?:avoids?|prevents?|rejects?|refuses?|denies|blocks?|excludes?|excluding|protects?)(?![/._]|[ -](?:read|open|load|fetch|find|copy|send|include|upload|post|forward|attach|append|call|use|run|tell|write|add|put|return)\b)|instead of|rather than)\b/;
