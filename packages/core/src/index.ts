export { type Address, addressKey, asServerName, type Kind, kinds, type ServerName } from "./address.ts";
export {
  type Acknowledgement,
  type Binding,
  emptySnapshot,
  type Snapshot,
  withdrawnAddressKey,
  withdrawnKey,
} from "./binding.ts";
export { canonicalize } from "./canonical.ts";
export { asDigest, type Digest, type Domain, digestOf, digestOfCanonical } from "./digest.ts";
export { type Drift, driftOf } from "./drift.ts";
export { type DriftClass, driftClasses } from "./drift-class.ts";
export { driftUnder } from "./drift-under.ts";
export { type BindingErrorCode, DescriptionMutationError, ManifestBindingError } from "./errors.ts";
export { fenced } from "./fence.ts";
export type { Confidence, Effect, Finding, Span } from "./finding.ts";
export {
  decodeUtf8,
  type Json,
  type JsonLimits,
  type JsonObject,
  type JsonReading,
  type JsonRefusal,
  jsonLimits,
  type Member,
  memberOf,
  readJson,
} from "./json.ts";
export { httpLaunch, type LaunchStanding, launchIsWithdrawn, launchStanding, stdioLaunch } from "./launch.ts";
export {
  type LockedDefinition,
  type LockedServer,
  type Lockfile,
  LockfileError,
  type LockfileProblem,
} from "./lockfile.ts";
export {
  type Answered,
  areTooLarge,
  isProtocolField,
  lists,
  type Malformed,
  type Offer,
  type OfferReading,
  type OfferRefusal,
  offerDigest,
  type Page,
  type RawDefinition,
  readBodies,
  readManifest,
  readOffer,
  type Source,
  serverInfoKey,
  sources,
} from "./offer.ts";
export type { Role } from "./place.ts";
export {
  asSent,
  isAsSent,
  isSamePlan,
  type Plan,
  type Prose,
  planOf,
  proses,
  type Scalar,
  type Setting,
} from "./plan.ts";
export { below, type Pointer, root, valueAt } from "./pointer.ts";
export { type Lines, type LockfileReading, readLockfile } from "./read-lockfile.ts";
export { contractOf, type Misfit, type Rendered, type Rendering, render } from "./render.ts";
export { type Objection, readSampling, type Sampling } from "./sampling.ts";
export { type SettableText, settableTexts } from "./settable-texts.ts";
export { type Fault, faultsOf } from "./shape.ts";
export { type Carrier, type Surface, surfaceOf, textOf } from "./surface.ts";
export { foldedKey } from "./twins.ts";
export type { Gate, LetThrough, Reason, Ruling, Verdict } from "./verdict.ts";
export { readDefinition, verifyDefinition } from "./verify-definition.ts";
export { visible, visibleLines } from "./visible.ts";
export { writeLockfile } from "./write-lockfile.ts";
