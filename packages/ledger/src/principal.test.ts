import { expect, test } from "vitest";
import { mostPrincipals } from "./principal.ts";
import { openInMemory } from "./sqlite/open-sqlite.ts";
import { approval, principalId, sampleTool, serverNamed, sighting } from "./under-test/samples.ts";

const files = serverNamed("files");
const read = sampleTool("read");
const other = sampleTool("read", "Another text.");

test("a thousand principals have sightings of their own, and one more has none [principals.crowd]", async () => {
  const ledger = await openInMemory();
  await ledger.record(sighting(files, [read]), { texts: [read] });
  for (let one = 0; one < mostPrincipals; one++) {
    const event = sighting(files, [other], { principal: principalId(`key:${one}`) });
    await ledger.record(event, one === 0 ? { texts: [other] } : {});
  }
  await ledger.record(approval(files, [read]));
  const sight = (id: string, offered: typeof read) => {
    const principal = principalId(id);
    const event = sighting(files, [offered], { principal });
    return ledger.record(event, { texts: [offered], expecting: [{ is: "stable", principal }] });
  };
  expect(await sight("key:late", other)).toEqual({ is: "moved", because: [{ is: "crowded" }] });
  expect(await sight("key:late", read), "what all are offered").toEqual({ is: "unchanged" });
  expect((await sight("key:7", sampleTool("read", "A third text."))).is).toBe("recorded");
  expect((await ledger.state()).servers.get(files)?.principals.size).toBe(1_000);
  await ledger.close();
});
