import { launchIsWithdrawn, launchStanding } from "@countersign/core";
import type { RecordResult } from "@countersign/ledger";
import { durationOf } from "../duration.ts";
import { type ExitCode, exitCodes, GateError } from "../gate-error.ts";
import { passesThen } from "../passes-then.ts";
import { type Places, standingFor, withLedger } from "./open.ts";
import { serverNamed } from "./scan.ts";

export interface BypassOptions extends Places {
  readonly server: string;
  /** As "1h"; or `end`. */
  readonly for?: string;
  readonly end?: boolean;
  readonly reason?: string;
  readonly by: string;
  /** Asked before everything passes, of somebody who has not said yes already. */
  readonly confirm: (question: string) => Promise<boolean>;
}

export type BypassReport =
  | {
      readonly is: "bypassed";
      readonly server: string;
      /** ISO 8601. */
      readonly until: string;
      /** Definitions that nobody approved as they are, and that pass now; and those that stay out all the same. */
      readonly letThrough: number;
      readonly out: number;
      /** Hosts have to connect again: the server was not started for them. */
      readonly reconnect: boolean;
      readonly seq: number;
      readonly exitCode: ExitCode;
    }
  | { readonly is: "enforced"; readonly server: string; readonly seq: number; readonly exitCode: ExitCode };

/** Lets everything of a server pass for a while, or ends that before its time. Both are recorded. */
export async function bypass(options: BypassOptions): Promise<BypassReport> {
  const server = serverNamed(options.server);
  if ((options.for === undefined) === (options.end !== true)) {
    throw new GateError(
      "USAGE",
      `Cannot tell how long to bypass ${server}: give --for <time>, as in --for 1h, or --end`,
    );
  }
  const reason = options.reason === undefined ? {} : { reason: options.reason };
  return withLedger(options, async (ledger) => {
    if (options.for === undefined) {
      if ((await ledger.snapshot(server)).bypass === undefined) {
        throw new GateError("NOTHING_WAITS", `Cannot end the bypass of ${server}: there is none`);
      }
      const seq = seqOf(await ledger.record({ is: "enforced", server, by: options.by, ...reason }));
      return { is: "enforced", server, seq, exitCode: exitCodes.clean };
    }
    const length = durationOf(options.for);
    const standing = await standingFor(ledger, server, options);
    const { snapshot } = standing;
    if (launchIsWithdrawn(snapshot)) {
      throw new GateError(
        "NOTHING_WAITS",
        `Cannot bypass ${server}: somebody decided against how it is reached, and that stands; see countersign review ${server}`,
      );
    }
    const { through, out } = passesThen(standing, "BYPASSED");
    const question = `Let everything of ${server} pass for ${options.for}, approved or not (now: ${through.size} that nobody approved)? [y] yes  [Enter] no `;
    if (!(await options.confirm(question))) {
      throw new GateError("DECLINED", `Did not bypass ${server}: nobody said yes; nothing was recorded`);
    }
    const until = Date.now() + length;
    const seq = seqOf(await ledger.record({ is: "bypassed", server, until, by: options.by, ...reason }));
    return {
      ...{ is: "bypassed", server, until: new Date(until).toISOString(), letThrough: through.size, out },
      ...{ reconnect: launchStanding(snapshot) === "held", seq, exitCode: exitCodes.clean },
    };
  });
}

function seqOf(result: RecordResult): number {
  if (result.is !== "recorded") throw new RangeError("a decision that expects nothing is recorded");
  return result.seq;
}
