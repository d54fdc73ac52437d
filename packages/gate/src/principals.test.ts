import { policyDigest } from "@countersign/judge";
import { asPrincipalId, type PrincipalId } from "@countersign/ledger";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { approvalScope } from "./approval-scope.ts";
import { recordApproval } from "./commands/approve.ts";
import { review } from "./commands/review.ts";
import { codes, type Notes, offering, openNotes, seenIn, server, tool } from "./under-test/notes.ts";

const [alice, bob, carol] = ["key:alice", "key:bob", "jwt:https://idp.example carol"].map(asPrincipalId) as [
  PrincipalId,
  PrincipalId,
  PrincipalId,
];
const search = (whose: string) => offering(tool("search", `Searches ${whose}.`));
let notes: Notes;

beforeEach(async () => {
  notes = await openNotes();
});
afterEach(() => notes.close());

/** Approves what waits of one text, by the words of its description. */
async function approve(words: string, everyone = false): Promise<void> {
  const standing = await notes.standing();
  const chosen = standing.definitions.filter(({ definition: { text, address } }) => {
    return text.includes(words) || (address.kind === "launch" && words === "");
  });
  expect(chosen.length).toBeGreaterThan(0);
  const signing = {
    acknowledged: new Set<string>(),
    by: "ada",
    policy: policyDigest(notes.settings.policy),
    unseen: false,
  };
  await recordApproval(notes.ledger, standing, chosen, { ...signing, everyone });
}

async function ruledFor(principal: PrincipalId | undefined, whose: string): Promise<string> {
  return codes(await notes.guard(principal)(search(whose)))[0] ?? "";
}

async function start(): Promise<void> {
  await notes.guard()(search("all notes"));
  await approve("");
  await approve("all notes");
}

describe("one server, several principals", () => {
  test("each is ruled on by its own text, and nobody by another's [principals.variant]", async () => {
    await start();
    expect(await ruledFor(alice, "all notes")).toBe("bind");
    expect(await ruledFor(alice, "Alice's notes")).toBe("quarantine DESCRIPTION_MUTATION");
    await approve("Alice's notes");
    expect(await ruledFor(alice, "Alice's notes")).toBe("bind");
    expect(await ruledFor(bob, "all notes")).toBe("bind");
    expect(await ruledFor(bob, "Bob's notes")).toBe("quarantine DESCRIPTION_MUTATION");
    await approve("Bob's notes");
    for (const [one, own] of [
      [alice, "Alice's notes"],
      [bob, "Bob's notes"],
      [undefined, "all notes"],
    ] as const)
      expect(await ruledFor(one, own)).toBe("bind");
  });

  test("what was approved for one is approved for whoever is offered the same digest [principals.shared]", async () => {
    await start();
    await ruledFor(alice, "what administrators have");
    expect(await ruledFor(carol, "what administrators have")).toBe("quarantine DESCRIPTION_MUTATION");
    const standing = await notes.standing();
    const waiting = standing.definitions.filter(({ principals }) => principals !== undefined);
    expect(waiting.map(({ principals }) => principals)).toEqual([[carol, alice]]);
    await approve("administrators");
    expect(await ruledFor(carol, "what administrators have")).toBe("bind");
    expect(await ruledFor(bob, "what administrators have"), "who was not there then").toBe("bind");
  });

  test("a superseded text binds for nobody again [principals.rollback]", async () => {
    await start();
    await ruledFor(alice, "one thing");
    await approve("one thing");
    await ruledFor(alice, "another thing");
    await approve("another thing");
    expect(await ruledFor(alice, "one thing"), "her own former text").toBe("quarantine DESCRIPTION_MUTATION");
    expect(await ruledFor(alice, "all notes"), "what all had before").toBe("quarantine DESCRIPTION_MUTATION");
    expect(await ruledFor(bob, "all notes")).toBe("bind");
    expect(await ruledFor(bob, "one thing")).toBe("quarantine DESCRIPTION_MUTATION");
    // A release that reaches everybody: whoever decides says that it is for all.
    await ruledFor(alice, "the release");
    await approve("the release", true);
    expect(await ruledFor(bob, "the release")).toBe("bind");
    expect(await ruledFor(bob, "all notes")).toBe("quarantine DESCRIPTION_MUTATION");
    expect(await ruledFor(bob, "another thing"), "her variant ended with it").toBe("quarantine DESCRIPTION_MUTATION");
    expect(await ruledFor(alice, "another thing")).toBe("quarantine DESCRIPTION_MUTATION");
  });

  test("a decision against a text holds for all [principals.withdrawn]", async () => {
    await start();
    for (const one of [alice, bob]) await ruledFor(one, "what administrators have");
    await approve("administrators");
    const definitions = seenIn(search("what administrators have"));
    await notes.ledger.record({ is: "revoked", server, definitions, by: "ada" });
    for (const one of [alice, bob, carol, undefined])
      expect(await ruledFor(one, "what administrators have")).toBe("quarantine REVOKED");
    expect(await ruledFor(alice, "all notes")).toBe("bind");
  });

  test("what one was offered last is not journalled again, and what flips is within its own quota [principals.journal]", async () => {
    await start();
    const guards = [alice, bob].map((one) => notes.guard(one));
    const whose = ["Alice's notes", "Bob's notes"];
    for (const [index, rule] of guards.entries()) await rule(search(whose[index] ?? ""));
    const before = await notes.ledger.seq();
    const offerEach = async (texts: readonly string[]) => {
      for (const [index, rule] of guards.entries()) await rule(search(texts[index] ?? ""));
    };
    for (let n = 0; n < 5; n++) await offerEach(whose);
    expect(await notes.ledger.seq()).toBe(before);
    for (let n = 0; n < 20; n++) {
      await offerEach(["all notes", "all notes"]);
      await offerEach(whose);
    }
    expect(await notes.ledger.seq()).toBe(before + 2 * 29);
  });

  test("one that changes without end is UNSTABLE for itself, and keeps nobody from deciding on others [principals.quota]", async () => {
    await start();
    const rule = notes.guard(alice);
    for (let n = 0; n < 31; n++) await rule(search(`note ${n}`));
    expect(codes(await rule(search("note 40")))).toEqual(["quarantine DESCRIPTION_MUTATION UNSTABLE"]);
    expect(await ruledFor(bob, "Bob's notes")).toBe("quarantine DESCRIPTION_MUTATION");
    expect(await ruledFor(alice, "all notes")).toBe("bind");
    await approve("Bob's notes");
    expect(await ruledFor(bob, "Bob's notes")).toBe("bind");
  });

  test("what one was offered first is common, and so is the launch [principals.first]", async () => {
    await notes.guard(alice)(search("all notes"));
    await notes.guard(bob)(search("Bob's notes"));
    const { definitions } = await notes.standing();
    expect(definitions.map(({ definition: { address }, principals }) => [address.kind, principals])).toEqual([
      ["launch", undefined],
      ["tool", undefined],
      ["tool", [bob]],
    ]);
  });

  test("what was approved for all and is offered again is what all are offered now [principals.everyone]", async () => {
    await start();
    for (const one of [alice, bob]) await ruledFor(one, "the release");
    await approve("the release", true);
    for (const one of [alice, bob, carol]) expect(await ruledFor(one, "the release")).toBe("bind");
    const { definitions } = await notes.standing();
    expect(definitions.map(({ ruling, principals }) => [ruling.verdict, principals])).toEqual([
      ["bind", undefined],
      ["bind", undefined],
    ]);
  });

  test("a text of which nobody has another is approved for all, and others for whom they are offered to [principals.scope]", async () => {
    await start();
    await notes.guard(alice)(offering(tool("search", "Searches all notes."), tool("audit", "Lists who read what.")));
    await ruledFor(bob, "Bob's notes");
    const standing = await notes.standing();
    const scopes = standing.definitions.map((stood) => [stood.definition.address.name, approvalScope(standing, stood)]);
    expect(scopes).toEqual([
      ["stdio", undefined],
      ["search", undefined],
      ["audit", undefined],
      ["search", [bob]],
    ]);
  });

  test("the offer that somebody looked at has another digest for other principals [principals.shown]", async () => {
    await start();
    await ruledFor(alice, "Alice's notes");
    const shown = (await notes.standing()).offer;
    await ruledFor(bob, "Alice's notes");
    expect((await notes.standing()).offer).not.toBe(shown);
  });
});

test("review says for whom a text is, and approves it for them or, by another key, for all [principals.everyone]", async () => {
  await start();
  await notes.guard(bob)(search("Bob's notes"));
  const said: string[] = [];
  const answering = (...answers: readonly string[]) => ({
    by: "ada",
    say: (text: string) => void said.push(text),
    ask: async (question: string) => {
      said.push(question);
      return answers.at(0);
    },
  });
  const view = { text: true, colour: false, contents: true, width: 100, height: 40 };
  const reviewed = (key: string) => review({ server, ledger: notes.path }, answering(key), view);
  expect(await reviewed("a")).toMatchObject({ approved: 1, left: 0 });
  expect(said.join("\n")).toContain("offered to key:bob only");
  expect(said.join("\n")).toContain("[a] approve the change for key:bob only");
  expect([...((await notes.ledger.snapshot(server)).variants?.of.keys() ?? [])]).toEqual([bob]);

  await notes.guard(alice)(search("the release"));
  expect(await reviewed("e")).toMatchObject({ approved: 1, left: 0 });
  expect(await ruledFor(carol, "the release")).toBe("bind");
  expect(await ruledFor(undefined, "all notes")).toBe("quarantine DESCRIPTION_MUTATION");
});

test("whatever principals are offered and people decide, nobody is bound to what nobody approved, nor to what was withdrawn last [principals.law]", async () => {
  const whose = ["all notes", "one thing", "another thing"];
  const who = [undefined, alice, bob];
  const stepOf = fc.record({
    who: fc.constantFrom(...who),
    whose: fc.constantFrom(...whose),
    does: fc.constantFrom("look", "look", "approve", "everyone", "revoke"),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(stepOf, { maxLength: 8 }), async (steps) => {
      const one = await openNotes();
      const signing = {
        acknowledged: new Set<string>(),
        by: "ada",
        policy: policyDigest(one.settings.policy),
        unseen: false,
      };
      const approved = new Set<string>();
      const look = async (principal: PrincipalId | undefined, text: string) => {
        const [ruling] = await one.guard(principal)(search(text));
        if (ruling?.verdict === "bind") expect(approved).toContain(text);
      };
      await one.guard()(search("nothing"));
      const first = await one.standing();
      await recordApproval(one.ledger, first, first.definitions, signing);
      for (const { who, whose, does } of steps) {
        await look(who, whose);
        const standing = await one.standing();
        const chosen = standing.definitions.filter(({ definition: { text } }) => text.includes(whose));
        if (does === "approve" || does === "everyone") {
          if (chosen.length === 0) continue;
          await recordApproval(one.ledger, standing, chosen, { ...signing, everyone: does === "everyone" });
          approved.add(whose);
        } else if (does === "revoke") {
          await one.ledger.record({ is: "revoked", server, definitions: seenIn(search(whose)), by: "ada" });
          approved.delete(whose);
        }
      }
      for (const principal of who) for (const text of whose) await look(principal, text);
      await one.close();
    }),
    { numRuns: 8 },
  );
});
