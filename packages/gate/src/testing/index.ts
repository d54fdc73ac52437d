/** For the tests of a server's author, under vitest, `node:test` or any other runner: what fails throws an AssertionError. */
export type { Launched } from "../library/launched.ts";
export { type AcceptOptions, expectAccepted } from "./expect-accepted.ts";
export { type DriftOptions, expectNoDrift } from "./expect-no-drift.ts";
export type { Subject, SubjectOptions } from "./subject.ts";
