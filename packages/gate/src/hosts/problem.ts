import type { HostId } from "./host-id.ts";

/** Why a file, or a part of one, could not be read. What is left of the file and every other file are read all the same. */
export interface HostFileProblem {
  readonly host: HostId;
  readonly path: string;
  readonly code: HostFileProblemCode;
  /** Counted from 1, where there is a place. */
  readonly line?: number;
  readonly column?: number;
  /** Of the library that read it, or of the system. It may repeat what stands in the file, which may be hostile. */
  readonly detail?: string;
}

export type HostFileProblemCode =
  | "SYNTAX"
  /** A part that should hold servers is no object and no array, or cannot be understood otherwise. */
  | "WRONG_TYPE"
  /** One of the keys above the servers stands there twice; hosts go by the last, and so do we. */
  | "DUPLICATE_KEY"
  | "TOO_LARGE"
  | "TOO_DEEP"
  | "NOT_UTF8"
  | "UNREADABLE"
  | "DANGLING_LINK"
  /** A folder, a pipe or a device, which is never opened. */
  | "NOT_A_FILE"
  /** A script, which would have to be run to be read. */
  | "SHELL"
  /** A pattern fits more files than are looked at. */
  | "TOO_MANY_FILES";
