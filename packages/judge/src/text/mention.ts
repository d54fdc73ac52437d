/**
 * Whether the phrase behind these words is spoken about rather than spoken: they say that such text is detected, reported
 * or explained. Anybody can write that, so a mention is asked about and never waved through.
 */
export function isMention(before: string): boolean {
  const clause = before.slice(Math.max(...[". ", "! ", "? ", "; "].map((mark) => before.lastIndexOf(mark))) + 1);
  return about.test(clause);
}

const about =
  /\b(?:detects?|detecting|detection|scans?|scanning|scanner|checks|checking|whether|flags|flagging|blocks|blocking|prevents?|preventing|identif(?:y|ies|ying)|analy[sz](?:es|ing)|analy[sz]er|reports|classif(?:y|ies|ying)|explain(?:s|ing)?|documentation|example(?:s)?|such as|phrases like|injection|attacks?)\b/;
