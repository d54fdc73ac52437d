import { asSent, asServerName, readManifest, type ServerName } from "@countersign/core";
import { defaultPolicy, policyDigest, rulesetDigest } from "@countersign/judge";
import { openInMemory } from "@countersign/ledger";
import { expect, test } from "vitest";
import { approvalOf } from "./approval.ts";
import { settingsFrom } from "./config.ts";
import { guardByLedger } from "./guard-by-ledger.ts";
import { noLaunch } from "./launch/launch-offer.ts";
import { ledgerInMemory } from "./library/ledgers.ts";

const server = asServerName("files") as ServerName;

test("a server is known by what was approved of it, and not by what was approved of a file [manifest.apart]", async () => {
  const ledger = await openInMemory();
  const reading = readManifest(server, [
    { kind: "claim", name: "tool:read", text: '{"name":"read"}' },
    { kind: "skill", name: "pdf", text: '{"text":"Reads."}' },
  ]);
  if (reading.is === "refused") throw new Error(reading.because.code);
  const approval = approvalOf({
    ...{ server, by: "ada", offer: reading.offer.digest, ruleset: rulesetDigest, policy: policyDigest(defaultPolicy) },
    definitions: reading.offer.definitions.map((definition) => ({ definition, acknowledged: [], plan: asSent })),
  });
  if (approval.is === "unfit") throw new Error("unfit");
  const texts = reading.offer.definitions.map(({ received, address: { kind }, text }) => ({
    digest: received,
    kind,
    text,
  }));
  expect((await ledger.record(approval.event, { texts })).is).toBe("recorded");
  expect(await guardByLedger(ledger, noLaunch(server), settingsFrom({})).known()).toBe(false);
  await ledger.close();

  const other = await ledgerInMemory([{ server, definitions: [{ name: "read", inputSchema: { type: "object" } }] }]);
  expect(await guardByLedger(other, noLaunch(server), settingsFrom({})).known()).toBe(true);
  await other.close();
});
