import { visible } from "@countersign/core";
import type { CheckedReach, CheckedServer, CheckGatewayReport } from "../commands/check-gateway.ts";
import type { Share } from "../gateway/gateway-settings.ts";
import { shownListen } from "../gateway/settings-given.ts";
import { sayForeign } from "./say-foreign.ts";
import { sayIgnored } from "./say-ignored.ts";
import { sayReachProblem } from "./say-reach-problem.ts";
import { shownWords } from "./shown-reach.ts";
import { paint, type View } from "./view.ts";
import { counted } from "./within.ts";

/** Where each server would be served, and how it would be reached. */
export function sayCheckGateway(report: CheckGatewayReport, view: View): string {
  const { servers, settings, config } = report;
  const scheme = settings.tls === undefined ? "http" : "https";
  const width = Math.max(...servers.map(({ path }) => path.length));
  return [
    `${counted(servers.length, "server")} of "${visible(config)}", at ${scheme}://${shownListen(settings.listen)}`,
    sayCallers(report),
    ...report.foreign.map(sayForeign),
    ...report.ignored.map(sayIgnored),
    "",
    ...servers.flatMap((server) => rowsOf(server, width, view)),
  ].join("\n");
}

/** Who is let in. */
function sayCallers({ settings: { anonymous, jwt }, keys }: CheckGatewayReport): string {
  if (anonymous) return "lets in whoever can connect: anonymous";
  const callers = [
    ...(keys > 0 ? [`${counted(keys, "key")}`] : []),
    ...(jwt === undefined ? [] : [`tokens of ${visible(jwt.issuer)}`]),
  ];
  if (callers.length > 0) return `lets in ${callers.join(", and ")}`;
  return "lets in nobody yet: make a key with countersign key add <name>";
}

function rowsOf({ path, reach, problems, approved }: CheckedServer, width: number, view: View): readonly string[] {
  const lead = " ".repeat(width + 2);
  const standing = approved === 0 ? "nothing of it is approved yet" : `${counted(approved, "definition")} approved`;
  return [
    `${path.padEnd(width)}  ${shownReach(reach)}`,
    `${lead}${standing}`,
    ...problems.map((problem) => `${lead}${paint(view, "yellow", `cannot be reached: ${sayReachProblem(problem)}`)}`),
  ];
}

function shownReach(reach: CheckedReach): string {
  switch (reach.is) {
    case "stdio":
      return `stdio: ${shownWords(reach.words)} (one process for ${shares[reach.share]})`;
    case "http": {
      const by = reach.transport === "sse" ? "sse" : "http";
      return `${by}: ${visible(reach.url)}${reach.passToken ? " (the caller's token is passed on)" : ""}`;
    }
  }
}

const shares: Readonly<Record<Share, string>> = {
  session: "each session",
  principal: "each principal",
  everyone: "everyone",
};
