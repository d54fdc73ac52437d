export type { Bound, CallGate, CallRefusal } from "./call-gate.ts";
export type { Checkpoints } from "./guard-options.ts";
export { carriesDefinitions } from "./methods.ts";
export { onlyLists } from "./only-lists.ts";
export type { Command, Ending } from "./stdio/child.ts";
export { guardStdio } from "./stdio/guard-stdio.ts";
export { refuseHost } from "./stdio/refuse-host.ts";
export type { Checkpoint, ListFailure, WireEvent } from "./wire-event.ts";
export { reviewId } from "./withheld.ts";
