export { longestBypass } from "./bypass.ts";
export { LedgerError } from "./errors.ts";
export { type Approved, isKeyEvent } from "./event.ts";
export { isCovered, type Sighting, type State } from "./fold.ts";
export {
  type AccessKey,
  asKeyHash,
  asKeyId,
  asKeyName,
  type KeyHash,
  type KeyId,
  type KeyName,
  keyStanding,
} from "./key.ts";
export type { Ledger, RecordResult } from "./ledger.ts";
export { asPrincipalId, type PrincipalId } from "./principal.ts";
export type { Recorded } from "./recorded.ts";
export { type LedgerSnapshot, mayIdentify } from "./snapshot.ts";
export { openInMemory, openSqlite } from "./sqlite/open-sqlite.ts";
export { probeSqlite } from "./sqlite/probe-sqlite.ts";
export type { VerifyReport } from "./verify.ts";
