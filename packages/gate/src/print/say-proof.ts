import type { ProveCommandReport } from "../commands/prove.ts";

export function sayProof(report: ProveCommandReport): string {
  const lines = [
    `${report.definitions} definitions, ${report.carriers} carriers`,
    `${report.mutations} changes, ${report.caught} caught, ${report.missed.length} missed`,
    `${report.respellings} respellings, ${report.falseDrift.length} taken for a change`,
  ];
  for (const row of [...report.missed, ...report.falseDrift].slice(0, 20)) lines.push(`  ${JSON.stringify(row)}`);
  return lines.join("\n");
}
