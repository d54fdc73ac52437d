import type { ServerName } from "@countersign/core";
import type { RemoteOptions } from "@countersign/wire";
import type { Remote } from "../gateway/usable-reach.ts";

/** What gives the requests to a server their headers, and is asked for others where the server does not take them. */
export type Credential = Pick<RemoteOptions, "headers" | "unauthorized">;

/** The operator's own headers, and nothing else: where they are not enough, nobody can be asked. */
export async function credentialFor(_server: ServerName, { headers }: Remote): Promise<Credential> {
  return { headers: async () => headers, unauthorized: async () => false };
}
