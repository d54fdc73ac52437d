import { isKeyEvent, type KeyId, type KeyName, type Recorded, type VerifyReport } from "@countersign/ledger";
import { type ExitCode, exitCodes } from "../gate-error.ts";
import { shownName, type View } from "../print/view.ts";
import { type Places, withLedger } from "./open.ts";
import { serverNamed } from "./scan.ts";

export interface LogRow {
  readonly seq: number;
  /** ISO 8601, by the clock of the machine that wrote it. */
  readonly at: string;
  /** Absent where the event is about a key of the gateway. */
  readonly server?: string;
  readonly event: Recorded["event"]["is"];
  readonly source?: string;
  readonly by?: string;
  readonly reason?: string;
  /** Of a bypass, ISO 8601. */
  readonly until?: string;
  /** Not all of it had been displayed when it was approved, and whoever approved it said so. */
  readonly unseen?: true;
  readonly definitions: readonly { readonly kind: string; readonly name: string; readonly received: string }[];
  readonly malformed?: number;
  /** Whom alone it was offered to, or for whom alone it was approved; absent where that is all. */
  readonly principals?: readonly string[];
  /** Of a key: what it is known by, its name, the only servers that it may use, and until when. ISO 8601. */
  readonly key?: string;
  readonly name?: string;
  readonly servers?: readonly string[];
  readonly expires?: string;
  readonly hash: string;
}

export type LogReport =
  | { readonly is: "entries"; readonly entries: readonly LogRow[]; readonly exitCode: ExitCode }
  | ({ readonly is: "verified"; readonly exitCode: ExitCode } & VerifyReport);

/** All that was ever decided and sighted, or whether that record is sound. */
export async function log(options: { server?: string; verify?: boolean } & Places, view: View): Promise<LogReport> {
  return withLedger(options, async (ledger) => {
    if (options.verify === true) {
      const report = await ledger.verify();
      const exitCode = report.problems.length === 0 ? exitCodes.clean : exitCodes.unapproved;
      return { is: "verified", ...report, exitCode };
    }
    const only = options.server === undefined ? undefined : serverNamed(options.server);
    const entries: LogRow[] = [];
    const names = new Map<KeyId, KeyName>();
    for await (const recorded of ledger.entries()) {
      const { event } = recorded;
      if (event.is === "key-added" && !names.has(event.key)) names.set(event.key, event.name);
      if (only === undefined || (!isKeyEvent(event) && event.server === only))
        entries.push(rowOf(recorded, names, view));
    }
    return { is: "entries", entries, exitCode: exitCodes.clean };
  });
}

function rowOf({ seq, at, event, hash }: Recorded, names: ReadonlyMap<KeyId, KeyName>, view: View): LogRow {
  const definitions = ("definitions" in event ? event.definitions : []).map(({ kind, name, received }) => ({
    kind,
    name: shownName(name, view),
    received,
  }));
  const about = isKeyEvent(event) ? { key: event.key } : { server: event.server };
  const row = { seq, at: new Date(at).toISOString(), ...about, event: event.is, definitions, hash };
  switch (event.is) {
    case "sighted":
      return { ...row, source: event.source, malformed: event.malformed.length, ...ofWhom(event.principal) };
    case "approved":
      return {
        ...row,
        ...whoAndWhy(event),
        ...ofWhom(...(event.principals ?? [])),
        ...(event.unseen === true ? { unseen: true } : {}),
      };
    case "rejected":
    case "revoked":
    case "enforced":
      return { ...row, ...whoAndWhy(event) };
    case "key-revoked": {
      const name = names.get(event.key);
      return { ...row, ...(name === undefined ? {} : { name }), ...whoAndWhy(event) };
    }
    case "key-added": {
      const { name, servers, expires } = event;
      const limits = {
        ...(servers === undefined ? {} : { servers }),
        ...(expires === undefined ? {} : { expires: new Date(expires).toISOString() }),
      };
      return { ...row, name, ...limits, ...whoAndWhy(event) };
    }
    case "bypassed":
      return { ...row, ...whoAndWhy(event), until: new Date(event.until).toISOString() };
  }
}

function ofWhom(...principals: readonly (string | undefined)[]): Pick<LogRow, "principals"> {
  const some = principals.filter((one) => one !== undefined);
  return some.length === 0 ? {} : { principals: some };
}

function whoAndWhy({ by, reason }: { readonly by: string; readonly reason?: string }) {
  return { by, ...(reason === undefined ? {} : { reason }) };
}
