import { isDeepStrictEqual } from "node:util";
import { addressKey, type Binding, type Digest, withdrawnKey } from "@countersign/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Event, isKeyEvent } from "./event.ts";
import { emptyState, fold, follows, type State } from "./fold.ts";
import { type Recorded, readStored, type StoredEvent, storedEvent } from "./recorded.ts";
import type { StoredText } from "./text.ts";
import {
  approval,
  bypass,
  end,
  keyAdded,
  keyRevoked,
  principalId,
  type Sample,
  sample,
  serverNamed,
  sighting,
  withdrawal,
} from "./under-test/samples.ts";
import { verify } from "./verify.ts";

const names = ["read", "__proto__", "a b", "\u202E", "read tool"];
const kinds = ["tool", "prompt"] as const;

const sampleOf = fc
  .record({ kind: fc.constantFrom(...kinds), name: fc.constantFrom(...names), version: fc.nat(2) })
  .map(({ kind, name, version }) => sample(kind, name, JSON.stringify({ name, description: `é ${version}` })));
const samplesOf = (minLength: number) => fc.uniqueArray(sampleOf, { minLength, maxLength: 4, selector: addressKey });
const serverOf = fc.constantFrom("files", "mail").map(serverNamed);

const principalOf = fc.option(fc.constantFrom("key:alice", "key:bob", "jwt:https://idp.example __proto__"), {
  nil: undefined,
});

const eventOf: fc.Arbitrary<{ event: Event; samples: readonly Sample[] }> = fc.oneof(
  fc
    .tuple(serverOf, samplesOf(0), fc.constantFrom("tools/list" as const, "initialize" as const), principalOf)
    .map(([server, samples, source, id]) => ({
      samples,
      event: sighting(server, samples, { source, ...(id === undefined ? {} : { principal: principalId(id) }) }),
    })),
  fc
    .tuple(serverOf, samplesOf(1), fc.option(fc.nat(), { nil: undefined }), principalOf)
    .map(([server, samples, expires, id]) => ({
      samples,
      event: approval(server, samples, {
        ...(expires === undefined ? {} : { expires }),
        ...(id === undefined ? {} : { principals: [principalId(id)] }),
      }),
    })),
  fc
    .tuple(serverOf, samplesOf(1), fc.constantFrom("rejected" as const, "revoked" as const))
    .map(([server, samples, is]) => ({ samples, event: withdrawal(is, server, samples) })),
  fc
    .tuple(serverOf, fc.option(fc.nat(), { nil: undefined }))
    .map(([server, until]) => ({ samples: [], event: until === undefined ? end(server) : bypass(server, until) })),
  fc
    .tuple(fc.constantFrom("aaaaaaaa", "bbbbbbbb"), fc.constantFrom("ci", "ada"), fc.boolean())
    .map(([key, name, added]) => ({ samples: [], event: added ? keyAdded(key, name) : keyRevoked(key) })),
);

interface Journal {
  readonly rows: readonly StoredEvent[];
  readonly texts: readonly StoredText[];
}

const journalOf: fc.Arbitrary<Journal> = fc
  .array(fc.tuple(eventOf, fc.nat()), { maxLength: 12 })
  .map((steps): Journal => {
    const rows: StoredEvent[] = [];
    const texts = new Map<Digest, StoredText>();
    for (const [index, [{ event, samples }, at]] of steps.entries()) {
      const previous = recordedOf(rows).at(-1)?.hash;
      rows.push(storedEvent(event, { seq: index + 1, at, id: `id-${index}`, previous }));
      for (const { digest, kind, text } of samples) texts.set(digest, { digest, kind, text });
    }
    return { rows, texts: [...texts.values()] };
  });

function recordedOf(rows: readonly StoredEvent[]): readonly Recorded[] {
  return rows.map((row) => {
    const reading = readStored(row);
    if (reading.is === "refused") throw new Error(JSON.stringify(reading.because));
    return reading.recorded;
  });
}

function foldAll(state: State, journal: readonly Recorded[]): State {
  return journal.reduce((before, recorded) => {
    expect(follows(before, recorded)).toBe(true);
    return fold(before, recorded);
  }, state);
}

describe("fold()", { timeout: 60_000 }, () => {
  test("is a function of the journal, and of nothing else", () => {
    fc.assert(
      fc.property(journalOf, ({ rows }) => {
        expect(foldAll(emptyState, recordedOf(rows))).toEqual(foldAll(emptyState, recordedOf(rows)));
      }),
    );
  });

  test("comes to the same in two parts as in one, and leaves the state between them as it was", () => {
    fc.assert(
      fc.property(journalOf, fc.nat(12), ({ rows }, cut) => {
        const journal = recordedOf(rows);
        const half = foldAll(emptyState, journal.slice(0, cut));
        const kept = structuredClone(half);
        expect(foldAll(half, journal.slice(cut))).toEqual(foldAll(emptyState, journal));
        expect(half).toEqual(kept);
        expect(emptyState).toEqual({ seq: 0, head: undefined, servers: new Map(), keys: new Map() });
      }),
    );
  });

  test("without what only some principals are offered it is the same for all [principals.plain]", () => {
    fc.assert(
      fc.property(journalOf, ({ rows }) => {
        const journal = recordedOf(rows);
        const plain = journal.filter((one) => !ofPrincipals(one));
        const whole = journal.reduce(fold, emptyState).servers;
        for (const [server, without] of plain.reduce(fold, emptyState).servers) {
          const all = whole.get(server);
          expect(new Map(all?.sightings)).toEqual(without.sightings);
          expect(all?.bindings).toEqual(without.bindings);
          expect(without.principals.size + without.variants.of.size).toBe(0);
        }
      }),
    );
  });

  test("binds for each principal what was approved for it last, and nothing that nobody approved or somebody withdrew since [principals.law]", () => {
    fc.assert(
      fc.property(journalOf, ({ rows }) => {
        const journal = recordedOf(rows);
        for (const [server, { variants }] of journal.reduce(fold, emptyState).servers) {
          for (const [principal, own] of variants.of) {
            expect(own.size).toBeGreaterThan(0);
            for (const [key, { received, seq }] of own) {
              const about = journal.filter(({ event }) => !isKeyEvent(event) && event.server === server);
              const deciding = about.flatMap(({ seq: at, event }) =>
                "definitions" in event && event.is !== "sighted"
                  ? event.definitions.filter((one) => addressKey(one) === key).map((one) => ({ at, event, one }))
                  : [],
              );
              const mine = deciding.filter(
                ({ event }) => event.is === "approved" && event.principals?.includes(principal) === true,
              );
              expect(mine.at(-1)).toMatchObject({ at: seq, one: { received } });
              const after = deciding.filter(({ at, event }) => at > seq && event.is !== "approved");
              expect(after.some(({ one }) => one.received === received)).toBe(false);
            }
          }
        }
      }),
    );
  });

  test("a key is as it was added first, and revoked for ever", () => {
    fc.assert(
      fc.property(journalOf, ({ rows }) => {
        const journal = recordedOf(rows);
        for (const { key, name, hash, revoked } of foldAll(emptyState, journal).keys.values()) {
          const about = journal.filter(({ event }) => isKeyEvent(event) && event.key === key);
          const added = about.findIndex(({ event }) => event.is === "key-added");
          const ended = about.slice(added).find(({ event }) => event.is === "key-revoked");
          expect(about[added]?.event).toMatchObject({ name, hash });
          expect(revoked?.at).toBe(ended?.at);
        }
      }),
    );
  });

  test("binds the digest that was approved last and not withdrawn since; withdrawn is what nobody approved since", () => {
    fc.assert(
      fc.property(journalOf, ({ rows }) => {
        const journal = recordedOf(rows);
        for (const [server, { bindings, withdrawn }] of foldAll(emptyState, journal).servers) {
          const expected = byScanningBack(journal.filter(({ event }) => !isKeyEvent(event) && event.server === server));
          expect(new Map([...bindings].map(([key, { received, seq }]) => [key, { received, seq }]))).toEqual(
            expected.bindings,
          );
          expect(withdrawn).toEqual(expected.withdrawn);
        }
      }),
    );
  });
});

function ofPrincipals({ event }: Recorded): boolean {
  return (
    (event.is === "sighted" && event.principal !== undefined) ||
    (event.is === "approved" && event.principals !== undefined)
  );
}

/** The same from the other end: for each address and each digest, the last word alone. */
function byScanningBack(journal: readonly Recorded[]) {
  const bindings = new Map<string, Pick<Binding, "received" | "seq">>();
  const withdrawn = new Map<string, string>();
  const spoken = new Set<string>();
  const lifted = new Set<string>();
  const superseded = new Set<string>();
  for (const { seq, event } of journal.toReversed()) {
    if (isKeyEvent(event) || event.is === "sighted" || event.is === "bypassed" || event.is === "enforced") continue;
    for (const { kind, name, received } of event.definitions) {
      const key = `${kind} ${name}`;
      const id = withdrawnKey(received, key);
      // A variant lifts what was decided against its digest, and says nothing of what is bound for all.
      if (event.is === "approved" && event.principals !== undefined) {
        lifted.add(id);
        continue;
      }
      const first = !spoken.has(id);
      spoken.add(id);
      if (event.is === "approved") {
        if (first && !superseded.has(key)) bindings.set(key, { received, seq });
        superseded.add(key);
      } else if (first && !lifted.has(id))
        withdrawn.set(withdrawnKey(received, key), event.is === "rejected" ? "REJECTED" : "REVOKED");
    }
  }
  return { bindings, withdrawn };
}

describe("verify()", { timeout: 60_000 }, () => {
  test("finds nothing in what was written", () => {
    fc.assert(
      fc.property(journalOf, ({ rows, texts }) => {
        const head = rows.at(-1)?.hash;
        expect(verify(rows, texts)).toEqual({ entries: rows.length, texts: texts.length, head, problems: [] });
      }),
    );
  });

  test("finds any one character that was changed in any column of any event", () => {
    const columns = ["seq", "at", "id", "previous", "event", "signatures", "hash"] as const;
    fc.assert(
      fc.property(journalOf, fc.nat(), fc.constantFrom(...columns), fc.nat(), fc.nat(0xffff), (journal, ...change) => {
        const [index, column, place, unit] = change;
        const row = journal.rows[index % Math.max(1, journal.rows.length)];
        const value = row?.[column];
        fc.pre(row !== undefined && value !== undefined);
        const changed = replaced(value, place, unit);
        fc.pre(changed !== value);
        const rows = journal.rows.map((one) => (one === row ? { ...row, [column]: changed } : one));
        expect(verify(rows, journal.texts).problems).not.toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test("finds an event that was taken out, put in twice, or swapped with the next", () => {
    fc.assert(
      fc.property(journalOf, fc.nat(), ({ rows, texts }, place) => {
        fc.pre(rows.length > 1);
        const at = place % (rows.length - 1); // the loss of the last one shows only against a head kept elsewhere
        const around = [
          rows.slice(0, at),
          rows.slice(at, at + 1),
          rows.slice(at + 1, at + 2),
          rows.slice(at + 2),
        ] as const;
        const [before, one, next, after] = around;
        for (const tampered of [
          [before, next, after],
          [before, one, one, next, after],
          [before, next, one, after],
        ]) {
          expect(verify(tampered.flat(), texts).problems).not.toEqual([]);
        }
        expect(verify(rows.slice(0, -1), texts).head).not.toBe(verify(rows, texts).head);
      }),
    );
  });

  test("finds any one character that gives a text another value", () => {
    fc.assert(
      fc.property(journalOf, fc.nat(), fc.nat(), fc.nat(0xffff), ({ rows, texts }, index, place, unit) => {
        const text = texts[index % Math.max(1, texts.length)];
        fc.pre(text !== undefined);
        const changed = replaced(text.text, place, unit);
        fc.pre(!sameValue(text.text, changed));
        const tampered = texts.map((one) => (one === text ? { ...text, text: changed } : one));
        expect(verify(rows, tampered).problems).toEqual([{ code: "WRONG_TEXT", digest: text.digest }]);
      }),
      { numRuns: 500 },
    );
  });

  test("misses every text that was approved, and no other", () => {
    fc.assert(
      fc.property(journalOf, ({ rows }) => {
        const approved = new Set<Digest>();
        for (const { event } of recordedOf(rows)) {
          if (event.is === "approved") for (const { received } of event.definitions) approved.add(received);
        }
        const missed = verify(rows, []).problems.map((problem) => "digest" in problem && problem.digest);
        expect(new Set(missed)).toEqual(approved);
      }),
    );
  });
});

function replaced(text: string, place: number, unit: number): string {
  const at = place % text.length;
  return text.slice(0, at) + String.fromCharCode(unit) + text.slice(at + 1);
}

/** By another reader than the one under test. */
function sameValue(before: string, after: string): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(before), JSON.parse(after));
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
