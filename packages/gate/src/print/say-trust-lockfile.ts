import { visible } from "@countersign/core";
import type { ExaminedLockfile, LockfileOffer, TrustLockfileReport } from "../commands/trust-lockfile.ts";
import { counted } from "./within.ts";

/** What trusting a lockfile would approve, for whoever is asked. */
export function sayExaminedLockfile({ path, digest, servers }: ExaminedLockfile): string {
  return [
    `lockfile "${visible(path)}" ${digest}`,
    ...servers.flatMap(sayServer),
    "  any change of the file takes the trust away, and none of what was approved by it",
  ].join("\n");
}

export function sayTrustLockfile(report: TrustLockfileReport): string {
  return `${sayExaminedLockfile(report)}\ntrusted, and approved; what was left out waits for countersign review`;
}

function sayServer({ server, launch, launchIs, approve, same, leftOut }: LockfileOffer): readonly string[] {
  const lines = [`  ${server}: ${counted(approve.length, "definition")} to approve, ${same} approved already`];
  if (launch !== undefined) lines.push(`    reached by ${launch}${launchWords[launchIs]}`);
  for (const { kind, name, is } of approve) lines.push(`    ${is === "new" ? "+" : "~"} ${kind} ${name}`);
  for (const { kind, name, because, rules } of leftOut) {
    const why = because === "WITHDRAWN" ? "somebody here decided against it" : `${rules.join(", ")} against it`;
    lines.push(`    left out: ${kind} ${name}: ${because}, ${why}`);
  }
  return lines;
}

const launchWords: Readonly<Record<LockfileOffer["launchIs"], string>> = {
  approved: "",
  "as-it-was": ", which is approved already",
  left: ", which is left for a decision of its own",
};
