import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isSameOffer } from "./is-same-offer.ts";
import { codes, type Notes, offering, openNotes, seenIn, server, tool } from "./under-test/notes.ts";

const [a, b] = [tool("a", "Does a"), tool("b", "Does b")];

describe("isSameOffer()", () => {
  test("tells apart what differs in one definition, in their order or in their spelling", () => {
    expect(isSameOffer(offering(a, b), offering(a, b))).toBe(true);
    for (const other of [
      offering(a),
      offering(b, a),
      offering(a, tool("b", "Does c")),
      offering(a, b.replace('"Does b"', '"Does \\u0062"')),
      offering(a, b, '{"name":"c","description":5}'),
    ]) {
      expect(isSameOffer(offering(a, b), other)).toBe(false);
    }
  });
});

describe("a list that is had again [checkpoint.same]", () => {
  let notes: Notes;
  beforeEach(async () => {
    notes = await openNotes();
  });
  afterEach(() => notes.close());

  test("has the ruling that it had while the ledger stands still, and no longer", async () => {
    const rule = notes.guard();
    const first = await rule(offering(a, b));
    expect(await rule(offering(a, b))).toBe(first);
    const [seen] = seenIn(offering(a));
    if (seen === undefined) throw new RangeError("nothing was seen");
    await notes.ledger.record({ is: "rejected", server, definitions: [seen], by: "ada" });
    expect(codes(await rule(offering(a, b)))).toEqual(["quarantine REJECTED", "quarantine NO_BASELINE"]);
  });

  test("is sighted anew where another process saw another list in between", async () => {
    const [one, other] = [notes.guard(), notes.guard()];
    await one(offering(a));
    await other(offering(b));
    await one(offering(a));
    expect((await notes.standing()).definitions.map(({ definition }) => definition.address.name)).toEqual([
      "stdio",
      "a",
    ]);
  });
});
