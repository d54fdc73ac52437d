export { type CheckOptions, checkArguments } from "./check-arguments.ts";
export { narrowArguments } from "./narrow.ts";
export { type NarrowFault, narrowFaults } from "./narrow-faults.ts";
export type { PathFault } from "./path-fault.ts";
export type { Unsupported, Violation } from "./violation.ts";
