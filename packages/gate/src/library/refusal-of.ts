/** Why the gate refused a use, of an error that a client's call rejected with. */
export interface Refusal {
  /** `NO_BASELINE`, `DESCRIPTION_MUTATION`, `ARGUMENTS` and so on: docs/library.md. */
  readonly code: string;
  /** Names what a person has to look at, as `countersign review` does; absent where it was the call that was at fault. */
  readonly review?: string;
}

/**
 * Reads the gate's refusal out of whatever error a client made of it: those of both MCP SDKs and of the AI SDK carry the
 * answer's `data`. Undefined for any other error, those of the server among them.
 */
export function refusalOf(error: unknown): Refusal | undefined {
  for (let one = error, depth = 0; depth < most; depth++) {
    if (typeof one !== "object" || one === null) return undefined;
    const refusal = refusalIn(one);
    if (refusal !== undefined) return refusal;
    // Frameworks wrap what a client rejects with.
    one = "cause" in one ? one.cause : undefined;
  }
  return undefined;
}

const most = 8;

function refusalIn(error: object): Refusal | undefined {
  const data = "data" in error ? error.data : undefined;
  const message = "message" in error ? String(error.message) : "";
  if (!/(?:^|: )Countersign [a-z]/.test(message) || typeof data !== "object" || data === null) return undefined;
  if (!("reason" in data) || typeof data.reason !== "string" || !/^[A-Z_]{2,40}$/.test(data.reason)) return undefined;
  const review = "review" in data && typeof data.review === "string" ? { review: data.review } : {};
  return { code: data.reason, ...review };
}
