declare const brand: unique symbol;

/** A code of Countersign's own, or `OTHER`. */
export type CodeLabel = string & { readonly [brand]: "CodeLabel" };

/** Codes that events hold as any text: a code that this does not know must not become a label of its own. */
export function codeLabel(code: string): CodeLabel {
  return (known.has(code) ? code : "OTHER") as CodeLabel;
}

const known: ReadonlySet<string> = new Set([
  // Why a definition is not bound.
  ...["NO_BASELINE", "REJECTED", "REVOKED", "EXPIRED", "UNSTABLE", "DESCRIPTION_MUTATION", "MASKED_MUTATION"],
  ...["NOT_ALLOWED", "PLAN_CHANGED", "PLAN_UNFIT", "LAUNCH_CHANGED", "FINDING", "MALFORMED", "GATE_FAILED"],
  // Why one that is bound may not be used.
  ...["NOT_OFFERED", "NOT_AS_SHOWN", "NOT_NAMED", "ARGUMENTS", "NARROWED", "RESULT"],
  // Why there is no list.
  ...["NO_LIST", "TWIN_KEY", "TOO_LARGE", "SERVER_ERROR", "NO_ANSWER", "ENDLESS_PAGES", "TOO_MANY_DEFINITIONS"],
  ...["REPEATED_CURSOR", "BAD_CURSOR", "FRAME_REFUSED", "CLOSED"],
  // Why a server may not ask.
  ...["IMITATES"],
]);
