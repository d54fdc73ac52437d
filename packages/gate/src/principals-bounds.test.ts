import { policyDigest } from "@countersign/judge";
import { asPrincipalId, type PrincipalId } from "@countersign/ledger";
import { afterEach, beforeEach, expect, test } from "vitest";
import { recordApproval } from "./commands/approve.ts";
import { ruleByLedger } from "./rule-by-ledger.ts";
import { standingOf } from "./standing.ts";
import { codes, launch, type Notes, offering, openNotes, seenIn, server, tool } from "./under-test/notes.ts";

let notes: Notes;
beforeEach(async () => {
  notes = await openNotes();
});
afterEach(async () => notes.close());
const id = (n: string) => asPrincipalId(`key:${n}`) as PrincipalId;
const as = (n: string) => ruleByLedger(notes.ledger, launch, notes.settings, () => notes.time, { principal: id(n) });
const v = (n: number | string) => offering(tool("read", `Reads note ${n}.`));
async function approve() {
  const shown = await notes.standing();
  const signing = {
    acknowledged: new Set<string>(),
    by: "ada",
    policy: policyDigest(notes.settings.policy),
    unseen: false,
  };
  return recordApproval(notes.ledger, shown, shown.definitions, signing);
}
const waiting = async () => {
  const s = await standingOf(notes.ledger, server, notes.settings.policy);
  return s?.definitions.filter(({ ruling }) => ruling.verdict !== "bind").map(({ principals }) => principals);
};

test("what a principal is no longer offered does not wait for a decision [principals.own]", async () => {
  await as("ada")(v(1));
  await approve();
  await as("bob")(v(2));
  expect((await waiting())?.length).toBe(1);
  await as("bob")(v(1));
  expect(await waiting()).toEqual([]);
});

test("what others are offered, and how often, makes nothing of a principal's UNSTABLE [principals.flood]", async () => {
  await as("ada")(v(1));
  for (let p = 0; p < 21; p++) {
    const { definitions, malformed, digest } = v(`of ${p}`);
    const texts = definitions.map(({ address: { kind }, received, text }) => ({ kind, digest: received, text }));
    await notes.ledger.record(
      {
        ...{ is: "sighted", server, source: "tools/list", offer: digest, malformed, principal: id(`p${p}`) },
        ...{ definitions: seenIn(v(`of ${p}`)), size: 30 * 64 * 1024 },
      },
      { texts },
    );
  }
  expect(codes(await as("p3")(v("again")))).toEqual(["quarantine NO_BASELINE UNSTABLE"]);
  expect(codes(await as("carol")(offering(tool("add", "Adds."))))).toEqual(["quarantine NO_BASELINE"]);
});

test("a part of what all are offered takes no room and no entry of the journal [principals.own]", async () => {
  await as("ada")(offering(tool("a", "A."), tool("b", "B.")));
  const before = await notes.ledger.seq();
  await as("bob")(offering(tool("a", "A.")));
  expect(await notes.ledger.seq()).toBe(before);
});

test("those who were there a day ago make room for others [principals.bound]", async () => {
  await as("ada")(v(0));
  for (let p = 0; p < 64; p++) await as(`p${p}`)(v(`of ${p}`));
  const before = await notes.ledger.seq();
  await as("carol")(v("of carol"));
  expect(await notes.ledger.seq()).toBe(before);
  notes.time += 24 * 3_600_000;
  await as("carol")(v("of carol"));
  expect(await notes.ledger.seq()).toBe(before + 1);
  expect((await notes.ledger.state()).servers.get(server)?.principals.size).toBe(64);
});
