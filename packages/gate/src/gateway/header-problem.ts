/** Why a header is not one that an operator may set for a server; undefined where it is. */
export function headerProblem(name: string, value: string): string | undefined {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/.test(name)) return "no name of a header";
  const lower = name.toLowerCase();
  if (ours.has(lower) || /^(?:mcp-|proxy-|sec-)/.test(lower)) return "a header that the gateway writes by itself";
  return isHeaderValue(value) ? undefined : "a value that no header can have: control characters, or beyond ASCII";
}

/** Of one line, and of what every server reads in the same way: RFC 9110 §5.5. */
export function isHeaderValue(value: string): boolean {
  return /^[\t\x20-\x7e]{0,8192}$/.test(value);
}

const ours: ReadonlySet<string> = new Set([
  ...["accept", "accept-encoding", "connection", "content-encoding", "content-length", "content-type", "expect"],
  ...[
    "host",
    "keep-alive",
    "last-event-id",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "traceparent",
    "tracestate",
  ],
]);
