/** A text as the value of a header: itself, or, where a header cannot hold it, as the Base64 of its UTF-8 (2026-07-28). */
export function headerValue(text: string): string {
  if (isHeaderValue(text) && !encoded.test(text)) return text;
  return `=?base64?${Buffer.from(text).toString("base64")}?=`;
}

/** What a header says. Undefined where it claims to be Base64, and is none of UTF-8. */
export function headerText(value: string): string | undefined {
  const inner = encoded.exec(value)?.[1];
  if (inner === undefined) return value;
  const bytes = Buffer.from(inner, "base64");
  const text = bytes.toString("utf8");
  return bytes.toString("base64") === inner && Buffer.from(text).equals(bytes) ? text : undefined;
}

const encoded = /^=\?base64\?(.*)\?=$/;

/** Visible ASCII, with spaces within: what every reader of HTTP takes for the same text. */
export function isHeaderValue(text: string): boolean {
  return /^[!-~](?:[ -~]*[!-~])?$/.test(text);
}

/** RFC 9110 §5.1. */
export function isHeaderName(text: string): boolean {
  return /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,256}$/.test(text);
}
