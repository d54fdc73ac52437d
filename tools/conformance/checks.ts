import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One check of the suite, as far as two runs of it can be compared. */
export interface Check {
  readonly scenario: string;
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly because: string;
}

/** One scenario emits several checks of one id and name; the how-manieth tells them apart. */
export interface Difference {
  readonly scenario: string;
  readonly check: string;
  readonly direct: string;
  readonly through: string;
  readonly because: string;
}

export interface Count {
  readonly passed: number;
  readonly of: number;
}

/** What the suite wrote into its output folder: a folder for each scenario, named for it and the time. */
export function checksIn(folder: string): readonly Check[] {
  return readdirSync(folder)
    .toSorted()
    .flatMap((name) => {
      const scenario = name.replace(/-[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9-]+Z$/, "").replace(/^server-/, "");
      const written = JSON.parse(readFileSync(join(folder, name, "checks.json"), "utf8")) as readonly Written[];
      return written.map(({ id, name: check, status, errorMessage = "" }) => ({
        ...{ scenario, id, name: check, status },
        because: errorMessage,
      }));
    });
}

interface Written {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/** As the suite counts: what only informs, warns or was skipped is no check that can be passed. */
export function countOf(checks: readonly Check[]): Count {
  const passed = checks.filter(({ status }) => status === "SUCCESS").length;
  return { passed, of: passed + checks.filter(({ status }) => status === "FAILURE").length };
}

/** Every check that did not come out the same, and every one that only one of the runs has. */
export function differencesOf(direct: readonly Check[], through: readonly Check[]): readonly Difference[] {
  const there = numbered(direct);
  const here = numbered(through);
  return [...new Set([...there.keys(), ...here.keys()])].flatMap((key) => {
    const [before, after] = [there.get(key), here.get(key)];
    if (before?.status === after?.status) return [];
    const { scenario, id, name } = (before ?? after) as Check;
    return [
      {
        ...{ scenario, check: id === name ? id : `${id} (${name})` },
        ...{ direct: before?.status ?? "absent", through: after?.status ?? "absent" },
        because: after?.because ?? "",
      },
    ];
  });
}

function numbered(checks: readonly Check[]): ReadonlyMap<string, Check> {
  const seen = new Map<string, number>();
  // What a scenario only reports, as each event of a stream, depends on time.
  const judged = checks.filter(({ status, id }) => status !== "INFO" || !reports.has(id));
  return new Map(
    judged.map((check) => {
      const key = JSON.stringify([check.scenario, check.id, check.name]);
      const n = (seen.get(key) ?? 0) + 1;
      seen.set(key, n);
      return [`${key} ${n}`, check];
    }),
  );
}

const reports: ReadonlySet<string> = new Set([
  ...["incoming-request", "outgoing-response", "outgoing-request", "incoming-response"],
  ...["incoming-sse-event", "outgoing-sse-event", "stream-closed", "outgoing-stream-close"],
]);
