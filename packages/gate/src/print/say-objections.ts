import { type Objection, visible } from "@countersign/core";

/** What the gates hold against a request, behind its code: the first few, because there may be a thousand. */
export function sayObjections(because: readonly Objection[]): string {
  if (because.length === 0) return "";
  const said = because.slice(0, mostSaid).map(({ address: { kind, name }, reasons }) => {
    const codes = reasons.map((reason) => (reason.code === "FINDING" ? reason.finding.rule : reason.code));
    return `${[...new Set(codes)].join(", ")} in ${kind} "${visible(name.slice(0, 100))}"`;
  });
  const more = because.length > mostSaid ? `; and ${because.length - mostSaid} more` : "";
  return ` (${said.join("; ")}${more})`;
}

const mostSaid = 3;
