export type { Checkpoints } from "./guard-options.ts";
export type { Command, Ending } from "./stdio/child.ts";
export { guardStdio } from "./stdio/guard-stdio.ts";
export type { ListFailure, WireEvent } from "./wire-event.ts";
