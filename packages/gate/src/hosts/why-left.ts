import { floatingOf, innermost } from "../launch/floating.ts";
import type { Entry, Reach } from "./entry.ts";
import { guardedBy } from "./guarded-by.ts";

/** Why an entry's server is not started without somebody's word. */
export type WhyLeft =
  /** The host does not start it either. */
  | "DISABLED"
  /** It is reached in a way that MCP does not know, as over a WebSocket. */
  | "REMOTE"
  /** Nothing that could be started. */
  | "NOT_UNDERSTOOD"
  /** Somebody else wrote it, who need not mean well. */
  | "PROJECT"
  | "PLUGIN"
  /** A shell decides what it runs. */
  | "SHELL"
  /** Its file is broken or says it twice, so it may not be what its writer meant. */
  | "AMBIGUOUS";

/** The server that an entry starts, behind a guard if there is one. */
export function serverOf(entry: Entry): Reach {
  return guardedBy(entry)?.behind ?? entry.reach;
}

export function whyLeft(entry: Entry): WhyLeft | undefined {
  const reach = serverOf(entry);
  if (reach.is === "remote" && reach.transport === "ws") return "REMOTE";
  if (reach.is === "opaque") return "NOT_UNDERSTOOD";
  if (!entry.enabled) return "DISABLED";
  if (entry.file.scope === "project") return "PROJECT";
  if (entry.file.scope === "plugin") return "PLUGIN";
  if (entry.oddities.some(({ code }) => code === "BROKEN_FILE" || code === "DUPLICATE_KEY")) return "AMBIGUOUS";
  return reach.is === "stdio" && isOfShell(reach) ? "SHELL" : undefined;
}

/** `cmd /c npx ...` is how Windows starts a script, so a shell is one only where it has something to decide. */
function isOfShell({ command, args }: Extract<Reach, { is: "stdio" }>): boolean {
  const inner = innermost(command, args);
  if (!floatingOf(inner.command, inner.args).includes("shell")) return false;
  const [flag = "", ...words] = inner.args;
  return !(/^\/[cs]$/i.test(flag) && words.every((word) => !/[&|<>^%"()!\n]/.test(word)));
}
