export { LedgerError, type LedgerErrorCode } from "./errors.ts";
export type { Approved, ApprovedDefinition, Event, Seen, Sighted, Withdrawn } from "./event.ts";
export type { Expectation, Movement } from "./expectation.ts";
export type { ServerState, Sighting, State } from "./fold.ts";
export type { Ledger, RecordOptions, RecordResult } from "./ledger.ts";
export type { Recorded } from "./recorded.ts";
export { openSqlite, type SqliteOptions } from "./sqlite/open-sqlite.ts";
export type { Text } from "./text.ts";
export type { VerifyProblem, VerifyReport } from "./verify.ts";
