import { asServerName, type Digest, offerDigest, readJson, readOffer } from "@countersign/core";
import { openSqlite } from "@countersign/ledger";
import { settingsOf } from "../../packages/gate/src/config.ts";
import { launchOffer } from "../../packages/gate/src/launch/launch-offer.ts";
import { ruleByLedger } from "../../packages/gate/src/rule-by-ledger.ts";

const text =
  '{"tools":[{"name":"read","description":"Reads a note.","inputSchema":{"type":"object","properties":{},"additionalProperties":false}}]}';

/** Lets a server be seen for the first time. Returns the digest of what it offers. */
export async function offering(ledger: string, name: string): Promise<Digest> {
  const server = asServerName(name);
  const reading = readJson(text);
  if (server === undefined || reading.is === "refused") throw new RangeError(name);
  const offer = readOffer(server, "tools/list", [{ text, result: reading.json }]);
  if (offer.is === "refused") throw new RangeError(offer.because.code);
  const opened = await openSqlite(ledger);
  const launch = launchOffer(server, { command: process.execPath, args: [] });
  await ruleByLedger(opened, launch, await settingsOf(name, "/nonexistent", false), Date.now)(offer.offer);
  await opened.close();
  return offerDigest([...launch.definitions, ...offer.offer.definitions]);
}
