import type { HostFile } from "./host.ts";
import type { HostId } from "./host-id.ts";

/** One server as a host's file has it, before anything in it is expanded. Every text of it may be hostile: a repository can hold it. */
export interface Entry {
  readonly host: HostId;
  readonly file: HostFile;
  /** Keys and indexes from the root of the document to the entry. */
  readonly at: readonly (string | number)[];
  /** Where the entry begins in the file, counted from 1. */
  readonly line: number;
  /** As the file has it: `com.vendor/x` and `__proto__` are names too. */
  readonly name: string;
  readonly reach: Reach;
  /** Whether the host starts it as things are. */
  readonly enabled: boolean;
  /** What is odd about it and does not keep it from being read, as both a command and a url. */
  readonly oddities: readonly Oddity[];
}

export type Reach =
  | {
      readonly is: "stdio";
      readonly command: string;
      readonly args: readonly string[];
      readonly env: ReadonlyMap<string, string>;
      readonly cwd?: string;
      /** A file of further environment variables that the host reads. */
      readonly envFile?: string;
    }
  | {
      readonly is: "remote";
      readonly url: string;
      readonly transport: "http" | "sse" | "ws" | "unknown";
      readonly headers: ReadonlyMap<string, string>;
    }
  /** Nothing that can be started without running something else first, or nothing that can be understood. */
  | { readonly is: "opaque"; readonly because: "SHELL" | "NO_COMMAND" | "NOT_AN_OBJECT" | "WRONG_TYPE" };

export type Oddity =
  | { readonly code: "COMMAND_AND_URL" }
  /** `"command": "npx -y pkg"` without `args`: `reach` holds it taken apart. */
  | { readonly code: "COMMAND_LINE" }
  | { readonly code: "DUPLICATE_KEY"; readonly key: string }
  /** The file around it is broken elsewhere, so that it may not be what its writer meant. */
  | { readonly code: "BROKEN_FILE" }
  /** It looks like a variable, and is none of this host's: its server gets the text as it is. */
  | { readonly code: "UNKNOWN_VARIABLE"; readonly text: string };
