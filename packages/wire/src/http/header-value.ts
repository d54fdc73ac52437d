/** A text as the value of a header: itself, or, where a header cannot hold it, as the Base64 of its UTF-8 (2026-07-28). */
export function headerValue(text: string): string {
  if (isHeaderValue(text) && !/^=\?base64\?.*\?=$/.test(text)) return text;
  return `=?base64?${Buffer.from(text).toString("base64")}?=`;
}

/** Visible ASCII, with spaces within: what every reader of HTTP takes for the same text. */
export function isHeaderValue(text: string): boolean {
  return /^[!-~](?:[ -~]*[!-~])?$/.test(text);
}

/** RFC 9110 §5.1. */
export function isHeaderName(text: string): boolean {
  return /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,256}$/.test(text);
}
