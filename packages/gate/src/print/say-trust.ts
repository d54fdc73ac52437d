import { visible } from "@countersign/core";
import type { Examined, TrustListReport, TrustReport, UntrustReport } from "../commands/trust.ts";

/** What a trust would allow, for whoever is asked. */
export function sayExamined({ kind, path, loosens, approved }: Examined): string {
  const lines = [`${kind} "${visible(path)}"`];
  switch (kind) {
    case "config":
      lines.push(loosens.length === 0 ? "  loosens nothing that counts now" : "  would loosen:");
      lines.push(...loosens.map((one) => `    ${visible(one)}`));
      lines.push(
        "  and what else it says would count, as this file says it now; any change of it takes the trust away",
      );
      break;
    case "ledger":
      lines.push(approved.length === 0 ? "  holds no approvals" : "  holds approvals, and they would count:");
      lines.push(...approved.map(({ server, definitions }) => `    ${server}: ${definitions}`));
      lines.push(
        "  whoever can write to its folder could add others; the trust is in this file, whatever it comes to hold",
      );
  }
  return lines.join("\n");
}

export function sayTrust(report: TrustReport): string {
  return `${sayExamined(report)}\ntrusted, from the next start of a server on`;
}

export function sayTrusts({ trusts }: TrustListReport): string {
  if (trusts.length === 0) return "nothing of a repository is trusted";
  return trusts
    .map(({ kind, path, at, by, stands }) => `${stands}  ${kind}  "${visible(path)}"  ${at} by ${visible(by)}`)
    .join("\n");
}

export function sayUntrust({ path, taken }: UntrustReport): string {
  if (taken === 0) return `"${visible(path)}" was not trusted`;
  return `"${visible(path)}" is not trusted any more, from the next start of a server on`;
}
