export { longestBypass } from "./bypass.ts";
export { LedgerError } from "./errors.ts";
export type { Approved } from "./event.ts";
export type { Sighting } from "./fold.ts";
export type { Ledger, RecordResult } from "./ledger.ts";
export type { Recorded } from "./recorded.ts";
export { openInMemory, openSqlite } from "./sqlite/open-sqlite.ts";
export { probeSqlite } from "./sqlite/probe-sqlite.ts";
export type { VerifyReport } from "./verify.ts";
