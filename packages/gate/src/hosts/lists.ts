import type { ServerList } from "./host.ts";

/** `{"mcpServers": {"name": {...}}}`, which most hosts read. */
export const wrapped: readonly ServerList[] = [{ at: ["mcpServers"], shape: "named" }];

/** `{"servers": {"name": {...}}}`, as VS Code has it. */
export const servers: readonly ServerList[] = [{ at: ["servers"], shape: "named" }];

/** A file that holds nothing but servers is read in every shape that any host reads: people copy them from one to the other. */
export const anyShape: readonly ServerList[] = [...wrapped, ...servers, { at: [], shape: "named" }];

export function listAt(...at: readonly string[]): ServerList {
  return { at, shape: "named" };
}
