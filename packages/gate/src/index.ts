/** For hosts and tools that judge definitions themselves. The command line is `bin.ts`. */
export {
  type Address,
  asServerName,
  type BindingErrorCode,
  DescriptionMutationError,
  type Digest,
  type Drift,
  type Finding,
  type Kind,
  ManifestBindingError,
  type Offer,
  type Reason,
  type Ruling,
  readOffer,
  type ServerName,
  type Snapshot,
  type Source,
  verifyDefinition,
} from "@countersign/core";
export {
  type BindOptions,
  bindManifest,
  type Definitions,
  defaultPolicy,
  type Judgement,
  type JudgeOptions,
  judge,
  type Listed,
  type Policy,
  rule,
} from "@countersign/judge";
export { type Ledger, LedgerError } from "@countersign/ledger";
export type { Checkpoints, ClientTransport, GuardedTransport, WireEvent } from "@countersign/wire";
export { GateError } from "./gate-error.ts";
export type { LedgerEvent } from "./ledger-event.ts";
export type { GuardEvent } from "./library/guard-event.ts";
export { type GuardTransportOptions, guardTransport } from "./library/guard-transport.ts";
export type { Launched } from "./library/launched.ts";
export { type ApprovedServer, ledgerInMemory, openLedger } from "./library/ledgers.ts";
export { type Refusal, refusalOf } from "./library/refusal-of.ts";
export type { Capture } from "./prove/capture.ts";
export { type PlantOptions, plant } from "./prove/plant.ts";
export type { PlantReport } from "./prove/plant-report.ts";
export { type ProveOptions, prove } from "./prove/prove.ts";
export type { ProveReport } from "./prove/report.ts";
export type { Copy, Searched, Searcher } from "./prove/search.ts";
