import { createHash } from "node:crypto";
import type { ScanReport } from "../commands/scan.ts";
import { pathOf } from "../lock/path-of.ts";
import type { DefinitionRow, ReasonRow } from "./definition-row.ts";
import { type SarifResult, sarifOf } from "./sarif.ts";
import { qualified } from "./sarif-of-check.ts";
import { sentenceOf } from "./say-claim.ts";
import type { View } from "./view.ts";

/** A look as SARIF 2.1.0. Nothing of it stands in a file, so all locations are logical ones. */
export function sarifOfScan(report: ScanReport, view: View): Promise<object> {
  const { server, definitions, failures, notLookedAt, exitCode } = report;
  const results = definitions.flatMap((row) => row.reasons.flatMap((reason) => ofReason(reason, row, server, view)));
  const incomplete = [
    ...(notLookedAt === undefined ? [] : [{ code: "NOT_LOOKED_AT", message: notLookedAt }]),
    ...failures.map(({ source, code }) => ({ code, message: `${source} of ${server} could not be had whole.` })),
  ];
  return sarifOf({ verb: "scan", results, incomplete, exitCode });
}

function ofReason(reason: ReasonRow, row: DefinitionRow, server: string, view: View): readonly SarifResult[] {
  const result = (rule: string, effect: SarifResult["effect"], at: string): SarifResult => {
    const path = at.startsWith("/") ? pathOf(at, view) : "$";
    const about = JSON.stringify([rule, server, row.kind, row.name, at, row.received ?? ""]);
    return {
      ...{ rule, effect, is: "new", acknowledged: false },
      message: `${row.kind} ${row.name} of ${server}: ${sentenceOf({ rule, at, acknowledged: false })}`,
      fingerprint: createHash("sha256").update(about).digest("hex"),
      logical: { name: row.name, qualified: qualified(server, row.kind, row.name, path) },
    };
  };
  if ("rule" in reason) return [result(reason.rule, reason.effect, reason.at)];
  if ("faults" in reason) return reason.faults.map(({ at }) => result("malformed", "refuse", at));
  return [];
}
