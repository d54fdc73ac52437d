import type { Kind, ServerName, Source } from "@countersign/core";

/** What a proof found. Server-controlled text is in it: show that only through an escape. */
export interface ProveReport {
  readonly definitions: number;
  readonly carriers: number;
  readonly mutations: number;
  /** Refused at their places; or, of what the plan keeps from the model, let be. */
  readonly caught: number;
  /** Of these, how many the model does not read under the plan. */
  readonly unread: number;
  readonly missed: readonly Missed[];
  readonly respellings: number;
  readonly falseDrift: readonly FalseDrift[];
  /** What the subject withholds, approved and unchanged as it is. It reaches nobody, so nothing is proved of it. */
  readonly withheld: readonly Withheld[];
  /** How many mutations there were of each name. */
  readonly spread: Readonly<Record<string, number>>;
  /** How many mutations were shown in the complete list. In the others one unchanged definition stands beside the changed. */
  readonly complete: number;
}

export interface Row {
  readonly server: ServerName;
  readonly source: Source;
  readonly kind: Kind;
  readonly name: string;
}

/** Something changed, and was not refused at that place. */
export interface Missed extends Row, Complaint {
  /** RFC 6901, of the carrier. */
  readonly pointer: string;
  readonly part: "key" | "leaf";
  readonly mutation: string;
}

/** Nothing changed but the spelling (of `as-sent` not even that), and it was refused. */
export interface FalseDrift extends Row, Complaint {
  readonly spelling: string;
}

export interface Withheld extends Row {
  readonly codes: readonly string[];
}

export interface Complaint {
  readonly happened: /** What was changed is bound. */
    | "BOUND"
    /** It is refused, but not, or not only, for what was changed. The detail: the places that are said to differ. */
    | "ELSEWHERE"
    /** It is neither bound nor refused. */
    | "LOST"
    /** It is refused, and nothing was changed. The detail: codes. */
    | "REFUSED"
    /** Definitions around it that nobody changed are not bound any more. The detail: their names. */
    | "OTHERS_REFUSED"
    /** Nothing of the offer is left. The detail: the code. */
    | "OFFER_REFUSED"
    /** It is refused, and the model would not have read the change. The detail: codes. */
    | "REFUSED_UNREAD"
    /** Something is bound that nobody approved. The detail: its name. */
    | "STRANGER_BOUND"
    /** Something is bound, and what is served is not what was approved. The detail: its name. */
    | "SERVED_OTHERWISE";
  readonly detail: readonly string[];
}

/** One report of several, in their order. */
export function joined(reports: readonly ProveReport[]): ProveReport {
  const sum = (of: (report: ProveReport) => number) => reports.reduce((total, report) => total + of(report), 0);
  const names = new Set(reports.flatMap(({ spread }) => Object.keys(spread)));
  return {
    definitions: sum(({ definitions }) => definitions),
    carriers: sum(({ carriers }) => carriers),
    mutations: sum(({ mutations }) => mutations),
    caught: sum(({ caught }) => caught),
    unread: sum(({ unread }) => unread),
    missed: reports.flatMap(({ missed }) => missed),
    respellings: sum(({ respellings }) => respellings),
    falseDrift: reports.flatMap(({ falseDrift }) => falseDrift),
    withheld: reports.flatMap(({ withheld }) => withheld),
    spread: Object.fromEntries([...names].sort().map((name) => [name, sum(({ spread }) => spread[name] ?? 0)])),
    complete: sum(({ complete }) => complete),
  };
}
