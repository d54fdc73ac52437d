import { asSent, type LockedServer, type ServerName, writeLockfile } from "@countersign/core";
import { rulesetDigest } from "@countersign/judge";
import { readCapturedOffers } from "../packages/gate/src/prove/captured-offers.ts";
import { readCapture } from "../packages/gate/src/prove/read-capture.ts";

/** A lockfile that approves all that is in a folder of captures, as it is. */
export async function lockfileOf(folder: string): Promise<string> {
  const servers = new Map<ServerName, LockedServer["definitions"][number][]>();
  for (const capture of await readCapturedOffers(folder)) {
    const read = readCapture(capture);
    if ("code" in read) throw new Error(`Cannot lock ${capture.source} of ${capture.server}: ${read.code}`);
    const definitions = servers.get(capture.server) ?? [];
    servers.set(capture.server, definitions);
    for (const { address, text, json, received } of read.offer.definitions) {
      const digests = { received, contract: received, rendered: received };
      definitions.push({ address, text, json, ...digests, plan: asSent, acknowledged: [] });
    }
  }
  return writeLockfile({
    servers: [...servers].map(([server, definitions]) => ({ server, ruleset: rulesetDigest, definitions })),
  });
}
