import { visible } from "@countersign/core";
import type { PlantCommandReport } from "../commands/plant.ts";
import type { PlantCount } from "../prove/plant-report.ts";

export function sayPlanting(report: PlantCommandReport): string {
  const { planted, located, refused, missed, alone, counts } = report;
  const lines = [
    `${report.definitions} definitions, ${report.carriers} carriers`,
    `${planted} payloads, ${located} located, ${missed.length} missed; ${alone} of them planted alone`,
    ...(refused === 0 ? [] : [`${refused} in places that hold no text: malformed, there`]),
  ];
  for (const [by, rows] of Object.entries(counts)) {
    lines.push(`by ${by}`);
    for (const [name, count] of Object.entries(rows)) lines.push(`  ${name.padEnd(20)} ${words(count)}`);
  }
  if (report.withheld.length > 0)
    lines.push(`${report.withheld.length} are malformed as they are, so nothing is proved of them`);
  for (const row of missed.slice(0, 20)) lines.push(`  ${visible(JSON.stringify(row))}`);
  return lines.join("\n");
}

function words({ planted, located, refused }: PlantCount): string {
  const missed = planted - located - refused;
  return `${planted} planted${missed === 0 ? "" : `, ${missed} missed`}`;
}
