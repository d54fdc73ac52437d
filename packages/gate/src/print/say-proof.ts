import { visible } from "@countersign/core";
import type { ProveCommandReport } from "../commands/prove.ts";

export function sayProof(report: ProveCommandReport): string {
  const lines = [
    `${report.definitions} definitions, ${report.carriers} carriers`,
    `${report.mutations} changes, ${report.caught} caught, ${report.missed.length} missed`,
    ...(report.unread === 0 ? [] : [`${report.unread} of them in places that the model does not read, and let be`]),
    `${report.respellings} respellings, ${report.falseDrift.length} taken for a change`,
  ];
  if (report.withheld.length > 0)
    lines.push(`${report.withheld.length} could not be bound unchanged, so nothing is proved of them`);
  for (const row of [...report.missed, ...report.falseDrift].slice(0, 20))
    lines.push(`  ${visible(JSON.stringify(row))}`);
  return lines.join("\n");
}
