import { visible } from "@countersign/core";

/** For whom something is, where it is not for all. An issuer of tokens may have written a part of a principal's name. */
export function sayPrincipals(principals: readonly string[], lead: "for" | "to" = "for"): string {
  const few = principals.slice(0, 5).map((one) => visible(one));
  const more = principals.length > few.length ? ` and ${principals.length - few.length} more` : "";
  return `${lead} ${few.join(", ")}${more} only`;
}
