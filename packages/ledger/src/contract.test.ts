import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addressKey, below, digestOfCanonical, root, withdrawnKey } from "@countersign/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Event } from "./event.ts";
import type { Ledger } from "./ledger.ts";
import type { PrincipalId } from "./principal.ts";
import { collect } from "./under-test/collect.ts";
import {
  approval,
  bypass,
  end,
  keyAdded,
  keyId,
  keyRevoked,
  named,
  principalId,
  sample,
  sampleTool,
  seen,
  serverNamed,
  sighting,
  withdrawal,
} from "./under-test/samples.ts";
import { type StoreUnderTest, stores } from "./under-test/stores.ts";

for (const store of stores) describe(`a ledger in ${store.name}`, { timeout: 30_000 }, () => ledgerContract(store));

function ledgerContract(store: StoreUnderTest): void {
  const files = serverNamed("files");
  const mail = serverNamed("mail");
  const read = sampleTool("read", "Reads a file.");
  const write = sampleTool("write", "Writes a file.");
  const readAgain = sampleTool("read", "Reads any file.");

  let folder: string;
  let place: string;
  let ledger: Ledger;
  let clock = 0;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "countersign-ledger-"));
    place = store.placeIn(folder);
    clock = 1_000;
    let id = 0;
    ledger = await store.open(place, { now: () => ++clock, newId: () => `id-${++id}` });
  });
  afterEach(async () => {
    await ledger.close();
    await rm(folder, { recursive: true });
  });

  async function sight(samples: readonly ReturnType<typeof sampleTool>[], server = files) {
    return ledger.record(sighting(server, samples), { texts: samples });
  }

  async function reopened<T>(use: (other: Ledger) => Promise<T>): Promise<T> {
    const other = await store.open(place);
    try {
      return await use(other);
    } finally {
      await other.close();
    }
  }

  describe("bodies", () => {
    const daily = sample("body", "prompts/get daily", '{"messages":[]}');
    const weekly = sample("body", "prompts/get weekly", '{"messages":[]}');
    const changed = sample("body", "prompts/get daily", '{"description":"new","messages":[]}');
    const broken = {
      index: 1,
      kind: "body",
      name: weekly.name,
      faults: [{ code: "MISSING", at: below(root, "a") }],
    } as const;
    const sightBodies = (samples: readonly (typeof daily)[], more: Parameters<typeof sighting>[2] = {}) =>
      ledger.record(sighting(files, samples, { source: "bodies", ...more }), { texts: samples });
    const sighted = async () => (await ledger.state()).servers.get(files)?.sightings.get("bodies");

    test("that a sighting does not hold are as they were [body.ledger]", async () => {
      await sightBodies([daily, weekly]);
      expect(await sightBodies([weekly])).toEqual({ is: "unchanged" });
      expect(await sightBodies([weekly, daily])).toEqual({ is: "unchanged" });
      expect(await sightBodies([changed])).toEqual({ is: "recorded", seq: 2 });
      expect((await sighted())?.definitions).toEqual([seen(weekly), seen(changed)]);
      expect((await sighted())?.offer).toBe(sighting(files, [weekly, changed]).offer);
      await reopened(async (other) => {
        expect((await other.state()).servers.get(files)?.sightings.get("bodies")).toEqual(await sighted());
      });
    });

    test("are malformed until they are well formed, and the other way round", async () => {
      await sightBodies([daily, weekly]);
      expect(await sightBodies([], { malformed: [broken] })).toEqual({ is: "recorded", seq: 2 });
      expect(await sighted()).toMatchObject({
        definitions: [seen(daily)],
        malformed: [{ name: weekly.name, index: 0 }],
      });
      expect(await sightBodies([daily], { malformed: [{ ...broken, index: 7 }] })).toEqual({ is: "unchanged" });
      await sightBodies([weekly]);
      expect(await sighted()).toMatchObject({ definitions: [seen(daily), seen(weekly)], malformed: [] });
    });

    test("are a thousand at most, and the oldest are forgotten", async () => {
      const many = Array.from({ length: 1_000 }, (_, n) => sample("body", `prompts/get ${n}`, `{"n":${n}}`));
      await sightBodies(many);
      await sightBodies([daily]);
      const names = (await sighted())?.definitions.map(({ name }) => name);
      expect(names).toHaveLength(1_000);
      expect(names?.slice(0, 1)).toEqual(["prompts/get 1"]);
      expect(names?.at(-1)).toBe("prompts/get daily");
    });
  });

  describe("what it remembers", () => {
    test("a new ledger holds nothing and is sound", async () => {
      expect(await ledger.seq()).toBe(0);
      expect(await ledger.state()).toEqual({ seq: 0, head: undefined, servers: new Map(), keys: new Map() });
      expect(await ledger.snapshot(files)).toEqual({
        seq: 0,
        now: 1_001,
        bindings: new Map(),
        withdrawn: new Map(),
        texts: new Map(),
        neighbours: [],
        identified: [],
      });
      expect(await ledger.text(read.digest)).toBeUndefined();
      expect(await ledger.verify()).toEqual({ entries: 0, texts: 0, head: undefined, problems: [] });
    });

    test("record() keeps a sighting and its texts", async () => {
      expect(await sight([read, write])).toEqual({ is: "recorded", seq: 1 });
      const state = await ledger.state();
      expect(state.servers.get(files)?.sightings.get("tools/list")).toEqual({
        seq: 1,
        first: 1,
        at: 1_001,
        offer: sighting(files, [read, write]).offer,
        definitions: [seen(read), seen(write)],
        malformed: [],
      });
      expect(await ledger.text(read.digest)).toBe(read.text);
      expect((await ledger.snapshot(files)).bindings.size).toBe(0);
    });

    test("an approval binds, with all that was decided and the approved text", async () => {
      await sight([read]);
      const definition = { ...approval(files, [read]).definitions[0], acknowledged: [{ rule: "secret-path" }] };
      const event = approval(files, [read], {
        definitions: [definition as never],
        by: "ada",
        reason: "looked at it",
        expires: 9_000,
        offer: sighting(files, [read]).offer,
      });
      expect(await ledger.record(event)).toEqual({ is: "recorded", seq: 2 });
      const { bindings, texts, seq } = await ledger.snapshot(files);
      expect(seq).toBe(2);
      expect(bindings.get("tool read")).toEqual({
        address: { server: files, kind: "tool", name: "read" },
        received: read.received,
        contract: read.received,
        rendered: read.received,
        plan: { prose: "as-sent" },
        acknowledged: [{ rule: "secret-path" }],
        by: "ada",
        seq: 2,
        ruleset: event.ruleset,
        policy: event.policy,
        expires: 9_000,
      });
      expect(texts).toEqual(new Map([[read.digest, read.text]]));
    });

    test("gives the texts of other servers' approved tools in which something may be an identifier", async () => {
      const named = sample("tool", "named", '{"name":"named","inputSchema":{"$id":"urn:a"}}');
      const spelled = sample("tool", "spelled", '{"name":"spelled","inputSchema":{"\\u0024id":"urn:b"}}');
      await sight([read, named, spelled], mail);
      await ledger.record(approval(mail, [read, spelled]));
      expect((await ledger.snapshot(files)).identified).toEqual([spelled.text]);
      await ledger.record(approval(mail, [named]));
      expect(new Set((await ledger.snapshot(files)).identified)).toEqual(new Set([spelled.text, named.text]));
      expect((await ledger.snapshot(mail)).identified).toEqual([]);
      const before = await ledger.snapshot(files);
      await ledger.record(approval(mail, [read]));
      const after = await ledger.snapshot(files);
      expect(after.seq).toBeGreaterThan(before.seq);
      expect(after.identified, "whoever compares by identity need not rule again").toBe(before.identified);
    });

    test("it is all there when the ledger is opened again", async () => {
      await sight([read]);
      await ledger.record(approval(files, [read]));
      await ledger.record(withdrawal("rejected", files, [write]));
      const before = await ledger.state();
      await reopened(async (other) => {
        expect(await other.state()).toEqual(before);
        expect((await other.snapshot(files)).texts.get(read.digest)).toBe(read.text);
        expect((await other.verify()).problems).toEqual([]);
      });
    });

    test("names that JavaScript or a terminal could trip over are names like others", async () => {
      const names = [
        "__proto__",
        "constructor",
        "toString",
        "a b",
        "tool read",
        "\u202Egnp",
        "line\nfeed",
        "\u0000",
        "\u2028",
        "",
      ];
      const samples = names.map((name) => sampleTool(name, "x"));
      await sight(samples);
      await ledger.record(approval(files, samples));
      await reopened(async (other) => {
        const { bindings } = await other.snapshot(files);
        expect([...bindings.values()].map(({ address }) => address.name)).toEqual(names);
        expect((await other.verify()).problems).toEqual([]);
      });
    });

    test("entries() gives the journal in order, from any place on", async () => {
      await sight([read]);
      await ledger.record(approval(files, [read]));
      const events: Event[] = [sighting(files, [read]), approval(files, [read])];
      const all = await collect(ledger.entries());
      expect(all.map(({ seq, at, id, event }) => [seq, at, id, event])).toEqual([
        [1, 1_001, "id-1", events[0]],
        [2, 1_002, "id-2", events[1]],
      ]);
      expect(all[0]?.previous).toBeUndefined();
      expect(all[1]?.previous).toBe(all[0]?.hash);
      expect((await collect(ledger.entries(2))).map(({ seq }) => seq)).toEqual([2]);
      expect(await collect(ledger.entries(3))).toEqual([]);
    });

    test("entries() gives a journal of any length, and what is recorded while it is read", async () => {
      for (let version = 0; version < 300; version++) await sight([sampleTool("read", `version ${version}`)]);
      const seqs: number[] = [];
      for await (const { seq } of ledger.entries()) {
        seqs.push(seq);
        if (seq === 300) await sight([read]);
      }
      expect(seqs).toEqual(Array.from({ length: 301 }, (_, index) => index + 1));
      await reopened(async (other) => expect((await other.state()).seq).toBe(301));
    });
  });

  describe("keys of the gateway", () => {
    const key = keyId("abcDEF12");
    const other = keyId("xyzXYZ98");

    test("are what all decisions about them leave [access.journal]", async () => {
      const added = keyAdded("abcDEF12", "ci", { servers: [files, mail], expires: 9_000, reason: "for the build" });
      expect(await ledger.record(added)).toEqual({ is: "recorded", seq: 1 });
      const { is: _, reason: __, ...kept } = added;
      expect((await ledger.state()).keys).toEqual(new Map([[key, { ...kept, at: 1_001 }]]));
      await ledger.record(keyRevoked("abcDEF12"));
      await reopened(async (again) => {
        const { keys, servers, seq } = await again.state();
        expect(keys.get(key)).toEqual({ ...kept, at: 1_001, revoked: { at: 1_002, by: "ada" } });
        expect([servers.size, seq]).toEqual([0, 2]);
        expect(await again.verify()).toMatchObject({ entries: 2, problems: [] });
      });
    });

    test("are about no server, and say nothing of one", async () => {
      await sight([read]);
      await ledger.record(approval(files, [read]));
      const before = await ledger.snapshot(files);
      await ledger.record(keyAdded("abcDEF12", "ci"));
      expect(await ledger.snapshot(files)).toMatchObject({ bindings: before.bindings, neighbours: [], seq: 3 });
      expect((await ledger.state()).servers.get(files)?.seq).toBe(2);
    });

    test("that were revoked do not come back under their identifier, and none takes the place of another", async () => {
      const first = keyAdded("abcDEF12", "ci");
      await ledger.record(first);
      await ledger.record(keyAdded("abcDEF12", "mallory", { hash: keyAdded("xyzXYZ98", "x").hash }));
      expect((await ledger.state()).keys.get(key)).toMatchObject({ name: "ci", hash: first.hash });
      await ledger.record(keyRevoked("abcDEF12"));
      await ledger.record(first);
      await ledger.record(keyRevoked("xyzXYZ98"));
      expect((await ledger.state()).keys.get(key)?.revoked).toEqual({ at: 1_003, by: "ada" });
      expect((await ledger.state()).keys.size).toBe(1);
    });

    test("a name is free while no key of it opens anything, and an identifier only once", async () => {
      const expecting = (id: typeof key, name?: string) => ({
        expecting: [{ is: "new-key", key: id, ...(name === undefined ? {} : { name: named(name) }) } as const],
      });
      await ledger.record(keyAdded("abcDEF12", "ci", { expires: 2_000 }), expecting(key, "ci"));
      const taken = { is: "moved", because: [{ is: "keyed", keys: [key] }] };
      expect(await ledger.record(keyAdded("xyzXYZ98", "ci"), expecting(other, "ci"))).toEqual(taken);
      expect(await ledger.record(keyAdded("abcDEF12", "ada"), expecting(key, "ada"))).toEqual(taken);
      expect(await ledger.seq()).toBe(1);
      expect((await ledger.record(keyAdded("xyzXYZ98", "ci"), expecting(other))).is).toBe("recorded");
      clock = 5_000;
      await ledger.record(keyRevoked("xyzXYZ98"));
      expect((await ledger.record(keyAdded("third123", "ci"), expecting(keyId("third123"), "ci"))).is).toBe("recorded");
    });

    test("that no ledger may hold are refused", async () => {
      for (const wrong of [{ servers: [] }, { servers: [mail, files] }, { servers: [files, files] }, { by: "" }]) {
        const step = ledger.record(keyAdded("abcDEF12", "ci", wrong));
        await expect(step).rejects.toMatchObject({ name: "LedgerError", code: "INVALID" });
      }
      expect(await ledger.seq()).toBe(0);
    });
  });

  describe("what only some principals are offered", () => {
    const [alice, bob] = [principalId("key:alice"), principalId("jwt:https://idp.example bob")];
    const readForAlice = sampleTool("read", "Reads a file of Alice's.");
    const readForBob = sampleTool("read", "Reads a file of Bob's.");
    const sightFor = (principal: PrincipalId, samples: readonly ReturnType<typeof sampleTool>[]) =>
      ledger.record(sighting(files, samples, { principal }), {
        texts: samples,
        expecting: [{ is: "stable", principal }],
      });
    const stateOf = async () => (await ledger.state()).servers.get(files);
    const own = async (principal: PrincipalId) =>
      (await stateOf())?.principals.get(principal)?.sightings.get("tools/list")?.definitions;

    test("is journalled beside what all are, and neither repeats what it was nor what all are [principals.journal]", async () => {
      await sight([read]);
      expect(await sightFor(alice, [read])).toEqual({ is: "unchanged" });
      expect(await sightFor(alice, [readForAlice])).toEqual({ is: "recorded", seq: 2 });
      expect(await sightFor(alice, [readForAlice])).toEqual({ is: "unchanged" });
      expect(await sightFor(bob, [readForBob])).toEqual({ is: "recorded", seq: 3 });
      expect(await sight([read])).toEqual({ is: "unchanged" });
      expect([await own(alice), await own(bob)]).toEqual([[seen(readForAlice)], [seen(readForBob)]]);
      expect((await stateOf())?.sightings.get("tools/list")?.definitions).toEqual([seen(read)]);
      const before = await ledger.state();
      await reopened(async (other) => {
        expect(await other.state()).toEqual(before);
        expect((await other.verify()).problems).toEqual([]);
      });
    });

    test("is over when they are offered what all are, or a part of it, and costs them as much as any change [principals.own]", async () => {
      await sight([read, write]);
      expect(await sightFor(alice, [write])).toEqual({ is: "unchanged" });
      for (let taken = 0; taken < 30; taken += 2) {
        expect((await sightFor(alice, [readForAlice, write])).is).toBe("recorded");
        expect(await own(alice)).toEqual([seen(readForAlice), seen(write)]);
        expect((await sightFor(alice, [read])).is).toBe("recorded");
        expect(await own(alice)).toBeUndefined();
      }
      expect((await sightFor(alice, [readForAlice, write])).is).toBe("moved");
      await sightFor(bob, [readForBob]);
      await sight([readForBob]);
      expect(await own(bob), "all are offered what only he was").toBeUndefined();
    });

    test("takes of a quota of that principal's own, and of nobody else's [principals.quota]", async () => {
      await sight([read]);
      // Each weighs ten: long texts do.
      const size = 9 * 64 * 1024;
      const flood = async (principal: PrincipalId) => {
        for (let taken = 0; ; taken++) {
          const next = sampleTool("read", `${principal} ${taken}`);
          const event = sighting(files, [next], { principal, size });
          const result = await ledger.record(event, { texts: [next], expecting: [{ is: "stable", principal }] });
          if (result.is !== "recorded") return taken;
        }
      };
      expect(await flood(alice)).toBe(3);
      expect((await ledger.snapshot(files, alice)).unstableUntil).toBeDefined();
      expect((await ledger.snapshot(files, bob)).unstableUntil).toBeUndefined();
      expect((await ledger.snapshot(files)).unstableUntil).toBeUndefined();
      expect((await sight([readAgain])).is, "nor of what is for all").toBe("recorded");
      expect(await flood(bob)).toBe(3);
      for (let one = 0; one < 20; one++) expect(await flood(principalId(`key:other-${one}`))).toBe(3);
      expect((await ledger.snapshot(files, principalId("key:late"))).unstableUntil).toBeUndefined();
      expect((await ledger.snapshot(files)).unstableUntil).toBeUndefined();
      await ledger.record(approval(files, [read]));
      expect((await sightFor(alice, [readForAlice])).is, "whoever decides frees it").toBe("recorded");
    });

    test("approved for them is a variant: it supersedes their former one, and binds beside what all have [principals.variant]", async () => {
      await sight([read]);
      await ledger.record(approval(files, [read]));
      expect(await ledger.snapshot(files)).not.toHaveProperty("variants");
      await sightFor(alice, [readForAlice]);
      await ledger.record(approval(files, [readForAlice], { principals: [alice] }), {
        expecting: [{ is: "sighted", definitions: [seen(readForAlice)], principals: [alice] }],
      });
      const variantsNow = async () => {
        const { bindings, variants, texts } = await ledger.snapshot(files);
        expect(bindings.get("tool read")?.received).toBe(read.received);
        for (const of of variants?.of.values() ?? [])
          for (const { received } of of.values()) expect(texts.has(received)).toBe(true);
        return [...(variants?.of ?? [])].map(([id, of]) => [id, of.get("tool read")?.received]);
      };
      expect(await variantsNow()).toEqual([[alice, readForAlice.received]]);
      await ledger.record(approval(files, [readForBob], { principals: [bob, alice] }), { texts: [readForBob] });
      expect(await variantsNow()).toEqual([
        [alice, readForBob.received],
        [bob, readForBob.received],
      ]);
      await ledger.record(withdrawal("revoked", files, [readForBob]));
      expect(await variantsNow()).toEqual([]);
      expect([...(await ledger.snapshot(files)).withdrawn.values()]).toEqual(["REVOKED"]);
    });

    test("approved for all ends the variants of those who are offered it, and no others [principals.everyone]", async () => {
      await sight([read]);
      await ledger.record(approval(files, [read]));
      const old = sampleTool("read", "An older text.");
      for (const principal of [alice, bob]) {
        await sightFor(principal, [old]);
        await ledger.record(approval(files, [old], { principals: [principal] }));
      }
      await sightFor(alice, [readAgain]);
      await ledger.record(approval(files, [readAgain]));
      const { bindings, variants } = await ledger.snapshot(files);
      expect(bindings.get("tool read")?.received).toBe(readAgain.received);
      expect([...(variants?.of.keys() ?? [])]).toEqual([bob]);
      expect(variants?.superseded).toEqual(
        new Set([withdrawnKey(read.received, "tool read"), withdrawnKey(old.received, "tool read")]),
      );
    });

    test("moves no decision about others, and a decision about them where it is gone [principals.race]", async () => {
      await sight([read, write]);
      await sightFor(alice, [readForAlice, write]);
      const seq = (await stateOf())?.seq ?? 0;
      await sightFor(bob, [readForBob]);
      await sightFor(alice, [readAgain]);
      const expecting = (sample: typeof read, principals?: readonly PrincipalId[]) => [
        { is: "sighted", definitions: [seen(sample)], ...(principals === undefined ? {} : { principals }) } as const,
        { is: "unchanged-since", seq } as const,
      ];
      const gone = await ledger.record(approval(files, [readForAlice], { principals: [alice] }), {
        expecting: expecting(readForAlice, [alice]),
      });
      expect(gone).toMatchObject({ is: "moved", because: [{ is: "sighted", now: [readAgain.received] }] });
      expect((await ledger.record(approval(files, [read]), { expecting: expecting(read) })).is).toBe("recorded");
      const late = { expecting: expecting(readForBob, [bob]) };
      expect((await ledger.record(approval(files, [readForBob], { principals: [bob] }), late)).is).toBe("moved");
    });

    test("is of 64 principals at most, and the one that is the oldest is forgotten after a day [principals.crowd]", async () => {
      await sight([read]);
      for (let one = 0; one < 64; one++) {
        const event = sighting(files, [readForAlice], { principal: principalId(`key:${one}`) });
        await ledger.record(event, one === 0 ? { texts: [readForAlice] } : {});
      }
      await ledger.record(approval(files, [read]));
      expect(await sightFor(alice, [readForAlice])).toEqual({ is: "moved", because: [{ is: "crowded" }] });
      expect((await sightFor(principalId("key:0"), [readForBob])).is).toBe("recorded");
      clock += 24 * 3_600_000;
      expect((await sightFor(alice, [readForAlice])).is).toBe("recorded");
      expect(await own(principalId("key:0"))).toEqual([seen(readForBob)]);
      expect(await own(principalId("key:1"))).toBeUndefined();
    });

    test("counts among what other servers' tools are held against", async () => {
      await ledger.record(approval(mail, [read]), { texts: [read] });
      await ledger.record(approval(mail, [write, readForAlice], { principals: [alice] }), {
        texts: [write, readForAlice],
      });
      expect((await ledger.snapshot(files)).neighbours.map(({ name }) => name)).toEqual(["read", "write"]);
    });

    test.each([
      ["for nobody", { principals: [] }],
      ["for one principal twice", { principals: [alice, alice] }],
      ["not sorted", { principals: [alice, bob] }],
      ["for a name with a control in it", { principals: ["key:\u001b[2J" as PrincipalId] }],
      ["for a name without end", { principals: [`key:${"a".repeat(1_024)}` as PrincipalId] }],
    ])("an approval %s is none", async (_, wrong) => {
      const step = ledger.record(approval(files, [read], wrong), { texts: [read] });
      await expect(step).rejects.toMatchObject({ name: "LedgerError", code: "INVALID" });
    });
  });

  describe("how a server is reached", () => {
    const launch = (text: string) => sample("launch", "stdio", text);
    const one = launch('{"command":"one"}');
    const other = launch('{"command":"other"}');
    const reached = (by: ReturnType<typeof launch>) =>
      ledger.record(sighting(files, [by], { source: "launch" }), { texts: [by] });

    test("is a source beside the server's own, and the snapshot has the last one", async () => {
      await sight([read]);
      expect((await ledger.snapshot(files)).launch).toBeUndefined();
      await reached(one);
      expect((await ledger.snapshot(files)).launch).toBe(one.received);
      await reached(other);
      expect((await ledger.snapshot(files)).launch).toBe(other.received);
      expect((await ledger.snapshot(mail)).launch).toBeUndefined();
      await reopened(async (again) => {
        expect((await again.snapshot(files)).launch).toBe(other.received);
        expect((await again.verify()).problems).toEqual([]);
      });
    });

    test("is approved like a definition, and another approval supersedes it", async () => {
      await reached(one);
      await ledger.record(approval(files, [one]), { expecting: [{ is: "sighted", definitions: [seen(one)] }] });
      expect((await ledger.snapshot(files)).bindings.get("launch stdio")?.received).toBe(one.received);
      await reached(other);
      await ledger.record(approval(files, [other]));
      expect((await ledger.snapshot(files)).bindings.get("launch stdio")?.received).toBe(other.received);
    });
  });

  describe("decisions", () => {
    test("approving another digest supersedes the former one", async () => {
      await sight([read]);
      await ledger.record(approval(files, [read]));
      await sight([readAgain]);
      await ledger.record(approval(files, [readAgain]));
      const { bindings, texts, withdrawn } = await ledger.snapshot(files);
      expect(bindings.get("tool read")?.received).toBe(readAgain.received);
      expect([...texts.keys()]).toEqual([readAgain.digest]);
      expect(withdrawn.size).toBe(0);
    });

    test("revoking what is bound unbinds it, and approving it again lifts that", async () => {
      await sight([read, write]);
      await ledger.record(approval(files, [read, write]));
      await ledger.record(withdrawal("revoked", files, [read]));
      const revoked = await ledger.snapshot(files);
      expect([...revoked.bindings.keys()]).toEqual(["tool write"]);
      expect(revoked.withdrawn).toEqual(new Map([[withdrawnKey(read.received, "tool read"), "REVOKED"]]));
      await ledger.record(approval(files, [read]));
      const again = await ledger.snapshot(files);
      expect([...again.bindings.keys()]).toEqual(["tool write", "tool read"]);
      expect(again.withdrawn.size).toBe(0);
    });

    test("rejecting a change leaves the approved digest bound, and stands until that change is approved", async () => {
      await sight([read]);
      await ledger.record(approval(files, [read]));
      await sight([readAgain]);
      await ledger.record(withdrawal("rejected", files, [readAgain]));
      const rejected = await ledger.snapshot(files);
      expect(rejected.bindings.get("tool read")?.received).toBe(read.received);
      expect(rejected.withdrawn).toEqual(new Map([[withdrawnKey(readAgain.received, "tool read"), "REJECTED"]]));
      await ledger.record(approval(files, [write]), { texts: [write] });
      expect((await ledger.snapshot(files)).withdrawn).toEqual(rejected.withdrawn);
      await ledger.record(approval(files, [readAgain]));
      expect((await ledger.snapshot(files)).withdrawn.size).toBe(0);
    });

    test("rejecting what is bound unbinds it", async () => {
      await sight([read]);
      await ledger.record(approval(files, [read]));
      await ledger.record(withdrawal("rejected", files, [read]));
      const { bindings, withdrawn } = await ledger.snapshot(files);
      expect(bindings.size).toBe(0);
      expect([...withdrawn.values()]).toEqual(["REJECTED"]);
    });

    test("revoking a superseded digest says nothing of the one that is bound", async () => {
      await ledger.record(approval(files, [read]), { texts: [read] });
      await ledger.record(approval(files, [readAgain]), { texts: [readAgain] });
      await ledger.record(withdrawal("revoked", files, [read]));
      expect((await ledger.snapshot(files)).bindings.get("tool read")?.received).toBe(readAgain.received);
    });

    test("a decision about one kind or server says nothing of another", async () => {
      const prompt = sample("prompt", "read", '{"name":"read"}');
      await ledger.record(approval(files, [read]), { texts: [read] });
      await ledger.record(approval(mail, [read]));
      await ledger.record(approval(files, [prompt]), { texts: [prompt] });
      await ledger.record(withdrawal("revoked", files, [read]));
      expect([...(await ledger.snapshot(files)).bindings.keys()]).toEqual([addressKey(prompt)]);
      expect([...(await ledger.snapshot(mail)).bindings.keys()]).toEqual(["tool read"]);
    });

    test("neighbours are the tools that other servers have bound", async () => {
      const prompt = sample("prompt", "hello", '{"name":"hello"}');
      await ledger.record(approval(files, [read]), { texts: [read] });
      await ledger.record(approval(mail, [write, prompt]), { texts: [write, prompt] });
      await sight([sampleTool("seen only")], serverNamed("web"));
      expect((await ledger.snapshot(files)).neighbours).toEqual([{ server: mail, kind: "tool", name: "write" }]);
      await ledger.record(withdrawal("revoked", mail, [write]));
      expect((await ledger.snapshot(files)).neighbours).toEqual([]);
    });

    test("a snapshot stays as it is while decisions go on; only the time is always new", async () => {
      await ledger.record(approval(files, [read]), { texts: [read] });
      const before = await ledger.snapshot(files);
      const later = await ledger.snapshot(files);
      expect(later).toEqual({ ...before, now: before.now + 1 });
      await ledger.record(withdrawal("revoked", files, [read]));
      expect([...before.bindings.keys()]).toEqual(["tool read"]);
      expect(before.withdrawn.size).toBe(0);
    });
  });

  describe("sightings", () => {
    test("what was seen the last time is not recorded again; what was seen before that is", async () => {
      await sight([read, write]);
      expect(await sight([read, write])).toEqual({ is: "unchanged" });
      expect(await sight([write, read])).toEqual({ is: "unchanged" });
      expect(await sight([readAgain, write])).toEqual({ is: "recorded", seq: 2 });
      expect(await sight([read, write])).toEqual({ is: "recorded", seq: 3 });
      expect((await ledger.state()).servers.get(files)?.sightings.get("tools/list")).toMatchObject({
        seq: 3,
        first: 1,
      });
    });

    test("another source, another server and other faults are something new", async () => {
      await sight([read]);
      expect(await ledger.record(sighting(files, [read], { source: "initialize" }))).toEqual({
        is: "recorded",
        seq: 2,
      });
      expect(await ledger.record(sighting(mail, [read]))).toEqual({ is: "recorded", seq: 3 });
      const fault = { code: "MISSING", at: "/inputSchema" as never } as const;
      const malformed = [{ index: 1, kind: "tool", name: "write", faults: [fault] }] as const;
      expect(await ledger.record(sighting(files, [read], { malformed }))).toEqual({ is: "recorded", seq: 4 });
      expect(await ledger.record(sighting(files, [read], { malformed }))).toEqual({ is: "unchanged" });
      const nameless = [{ index: 1, kind: "tool", faults: [fault] }] as const;
      expect(await ledger.record(sighting(files, [read], { malformed: nameless }))).toEqual({ is: "recorded", seq: 5 });
      await reopened(async (other) => {
        expect(await other.record(sighting(files, [read], { malformed: nameless }))).toEqual({ is: "unchanged" });
      });
    });

    test("an empty offer is a sighting too", async () => {
      expect(await sight([])).toEqual({ is: "recorded", seq: 1 });
      expect(await sight([])).toEqual({ is: "unchanged" });
    });

    test("of two spellings of one digest the first is kept", async () => {
      await sight([read]);
      const respelled = { ...read, text: read.text.replace(":", " : ") };
      await ledger.record(sighting(mail, [respelled]), { texts: [respelled] });
      expect(await ledger.text(read.digest)).toBe(read.text);
    });
  });

  describe("expectations", () => {
    const sighted = (...samples: readonly ReturnType<typeof sampleTool>[]) =>
      ({ is: "sighted", definitions: samples.map(seen) }) as const;

    test("an approval of what is still sighted is recorded", async () => {
      await sight([read, write]);
      const result = await ledger.record(approval(files, [read]), { expecting: [sighted(read)] });
      expect(result).toEqual({ is: "recorded", seq: 2 });
    });

    test("a definition that changed or went away stops the whole approval, and nothing is written", async () => {
      await sight([read, write]);
      await sight([readAgain]);
      const result = await ledger.record(approval(files, [read, write]), { expecting: [sighted(read, write)] });
      expect(result).toEqual({
        is: "moved",
        because: [
          { is: "sighted", definition: seen(read), now: [readAgain.received] },
          { is: "sighted", definition: seen(write), now: [] },
        ],
      });
      expect(await ledger.seq()).toBe(2);
      expect((await ledger.snapshot(files)).bindings.size).toBe(0);
    });

    test("a text that comes with a failed approval is not written either", async () => {
      await ledger.record(approval(files, [read]), { texts: [read], expecting: [sighted(read)] });
      expect(await ledger.text(read.digest)).toBeUndefined();
    });

    test("any source counts, but only of that server and only its last", async () => {
      const hello = sample("instructions", "instructions", '"Hello."');
      const bye = sample("instructions", "instructions", '"Bye."');
      await ledger.record(sighting(files, [hello], { source: "initialize" }), { texts: [hello] });
      await ledger.record(sighting(files, [bye], { source: "server/discover" }), { texts: [bye] });
      await sight([read], mail);
      for (const one of [hello, bye]) {
        const result = await ledger.record(approval(files, [one]), { expecting: [sighted(one)] });
        expect(result.is).toBe("recorded");
      }
      const result = await ledger.record(approval(files, [read]), { expecting: [sighted(read)] });
      expect(result).toEqual({ is: "moved", because: [{ is: "sighted", definition: seen(read), now: [] }] });
    });

    test("the first decision on a server is the first one only", async () => {
      const expecting = [{ is: "first-decision" } as const];
      await sight([read]);
      await ledger.record(approval(mail, [read]));
      expect((await ledger.record(withdrawal("rejected", files, [read]), { expecting })).is).toBe("recorded");
      expect(await ledger.record(approval(files, [read]), { expecting })).toEqual({
        is: "moved",
        because: [{ is: "decided", seq: 3 }],
      });
    });

    test("the first sighting of a source is one that had none before and none since", async () => {
      const first = (seq: number) => ({ expecting: [{ is: "first-sighting", source: "tools/list", seq } as const] });
      const resighted = { is: "resighted", source: "tools/list" };
      expect(await ledger.record(withdrawal("rejected", files, [read]), first(1))).toEqual({
        is: "moved",
        because: [resighted],
      });
      await sight([read]);
      expect((await ledger.record(approval(files, [read]), first(1))).is).toBe("recorded");
      await sight([readAgain]);
      const moved = { is: "moved", because: [{ ...resighted, first: 1, last: 3 }] };
      expect(await ledger.record(approval(files, [read]), first(1))).toEqual(moved);
      expect(await ledger.record(approval(files, [readAgain]), first(3))).toEqual(moved);
    });

    test("unchanged since a sequence number means the server, not the ledger", async () => {
      await sight([read]);
      const { seq } = await ledger.snapshot(files);
      await sight([read], mail);
      const expecting = [{ is: "unchanged-since", seq } as const];
      expect((await ledger.record(approval(files, [read]), { expecting })).is).toBe("recorded");
      expect(await ledger.record(approval(files, [read]), { expecting })).toEqual({
        is: "moved",
        because: [{ is: "changed", seq: 3 }],
      });
    });

    test("all expectations must hold, and all that failed are told", async () => {
      await sight([read]);
      await ledger.record(approval(files, [read]));
      const expecting = [
        sighted(write),
        { is: "first-decision" },
        { is: "unchanged-since", seq: 0 },
        sighted(read),
      ] as const;
      const result = await ledger.record(approval(files, [write]), { texts: [write], expecting });
      expect(result.is === "moved" ? result.because.map(({ is }) => is) : result).toEqual([
        "sighted",
        "decided",
        "changed",
      ]);
    });
  });

  describe("a bypass", () => {
    /** The snapshot's, at a time of the clock. */
    const bypassAt = async (now: number, of = files) => {
      clock = now - 1;
      return (await ledger.snapshot(of)).bypass;
    };

    test("is in force from when it was recorded until its time, of that server alone", async () => {
      await ledger.record({ ...bypass(files, 5_000), reason: "two in the morning" });
      const inForce = { from: 1_001, until: 5_000, by: "ada", reason: "two in the morning" };
      expect(await bypassAt(1_001)).toEqual(inForce);
      expect(await bypassAt(4_999)).toEqual(inForce);
      expect(await bypassAt(5_000)).toBeUndefined();
      expect(await bypassAt(2_000, mail)).toBeUndefined();
    });

    test("is ended by somebody, or replaced by another one", async () => {
      await ledger.record(bypass(files, 5_000));
      await ledger.record(bypass(files, 3_000));
      expect(await bypassAt(2_999)).toMatchObject({ until: 3_000 });
      expect(await bypassAt(3_000)).toBeUndefined();
      clock = 1_500;
      await ledger.record(end(files));
      expect(await bypassAt(2_000)).toBeUndefined();
      expect((await ledger.verify()).problems).toEqual([]);
    });

    test("is not longer than a day, whatever the event says", async () => {
      await ledger.record(bypass(files, Number.MAX_SAFE_INTEGER));
      expect(await bypassAt(1_001 + 86_399_999)).toMatchObject({ until: 1_001 + 86_400_000 });
      expect(await bypassAt(1_001 + 86_400_000)).toBeUndefined();
    });

    test("is not in force before it was recorded, nor again once the journal shows that it is over", async () => {
      clock = 9_999;
      await ledger.record(bypass(files, 20_000));
      expect(await bypassAt(9_999)).toBeUndefined();
      expect(await bypassAt(10_000)).toMatchObject({ from: 10_000 });
      clock = 20_000;
      await sight([read]);
      expect(await bypassAt(15_000)).toBeUndefined();
    });

    test("says nothing of any definition, and frees nothing of the quota", async () => {
      await sight([read]);
      await ledger.record(approval(files, [read]));
      await sight([readAgain]);
      const before = (await ledger.state()).servers.get(files);
      await ledger.record(bypass(files, 5_000));
      const after = (await ledger.state()).servers.get(files);
      expect(after).toEqual({ ...before, seq: 4, bypass: { from: 1_004, until: 5_000, by: "ada" } });
    });
  });

  describe("what no ledger may hold", () => {
    const invalid = { name: "LedgerError", code: "INVALID" };

    test.each<[string, Event]>([
      ["an approval of nothing", approval(files, [])],
      ["two decisions on one address", approval(files, [read, readAgain])],
      ["a decision that nobody took", approval(files, [read], { by: "" })],
      ["a reason that is no text", approval(files, [read], { reason: "\uD800" })],
      ["a bypass that is nobody's", { ...bypass(files, 5_000), by: "" }],
      ["an expiry that is no time", approval(files, [read], { expires: Number.NaN })],
      ["an offer under another one's digest", { ...sighting(files, [read]), offer: sighting(files, [write]).offer }],
    ])("record() refuses %s", async (_, event) => {
      await expect(ledger.record(event, { texts: [read, readAgain] })).rejects.toMatchObject(invalid);
      expect(await ledger.seq()).toBe(0);
      expect(await ledger.text(read.digest)).toBeUndefined();
      expect(await sight([read])).toEqual({ is: "recorded", seq: 1 });
    });

    test("record() refuses a digest without its text, whether sighted or approved", async () => {
      await expect(ledger.record(sighting(files, [read]))).rejects.toMatchObject(invalid);
      await expect(ledger.record(approval(files, [read]), { texts: [write] })).rejects.toMatchObject(invalid);
      expect(await ledger.seq()).toBe(0);
    });

    test("record() refuses a text under another one's digest", async () => {
      for (const text of [write.text, "not JSON"]) {
        const texts = [{ ...read, text }];
        await expect(ledger.record(sighting(files, [read]), { texts })).rejects.toMatchObject(invalid);
      }
      const texts = [{ ...read, kind: "prompt" as const }];
      await expect(ledger.record(sighting(files, [read]), { texts })).rejects.toMatchObject(invalid);
    });
  });

  describe("a ledger that somebody has written in", () => {
    const corrupt = { name: "LedgerError", code: "CORRUPT" };

    beforeEach(async () => {
      await sight([read]);
      await ledger.record(approval(files, [read]));
      await ledger.record(withdrawal("revoked", files, [read]));
      await ledger.record(approval(files, [write]), { texts: [write] });
    });

    test("an approved text is read only if it is the one that was approved", async () => {
      store.tamper(place, { is: "text", digest: write.digest, value: readAgain.text });
      await reopened(async (other) => {
        await expect(other.snapshot(files)).rejects.toMatchObject(corrupt);
        await expect(other.text(write.digest)).rejects.toMatchObject(corrupt);
        expect((await other.verify()).problems).toEqual([{ code: "WRONG_TEXT", digest: write.digest }]);
      });
    });

    test("an approved text that is gone is missed", async () => {
      store.tamper(place, { is: "lost text", digest: write.digest });
      await reopened(async (other) => {
        await expect(other.snapshot(files)).rejects.toMatchObject(corrupt);
        expect((await other.verify()).problems).toEqual([{ code: "MISSING_TEXT", entry: 4, digest: write.digest }]);
      });
    });

    test("an event that was changed stops every reader", async () => {
      const [, , revoked] = await collect(ledger.entries());
      const value = JSON.stringify(revoked?.event).replace("revoked", "rejected");
      store.tamper(place, { is: "event", seq: 3, column: "event", value });
      await reopened(async (other) => {
        await expect(other.state()).rejects.toMatchObject(corrupt);
        await expect(other.snapshot(files)).rejects.toMatchObject(corrupt);
        await expect(other.record(approval(files, [read]))).rejects.toMatchObject(corrupt);
        await expect(collect(other.entries())).rejects.toMatchObject(corrupt);
        expect((await other.verify()).problems).toEqual([{ code: "WRONG_HASH", entry: 3 }]);
      });
    });

    test("an event that was taken out is missed", async () => {
      store.tamper(place, { is: "lost event", seq: 3 });
      await reopened(async (other) => {
        await expect(other.snapshot(files)).rejects.toMatchObject(corrupt);
        expect((await other.verify()).problems).toEqual([
          { code: "WRONG_SEQ", entry: 3 },
          { code: "WRONG_PREVIOUS", entry: 3 },
        ]);
      });
    });

    test("whoever has seen the last event misses it", async () => {
      expect((await ledger.state()).seq).toBe(4);
      store.tamper(place, { is: "lost event", seq: 4 });
      await expect(ledger.seq()).resolves.toBe(3);
      await expect(ledger.snapshot(files)).rejects.toMatchObject(corrupt);
    });

    test("a time, a link and an event that is no JSON are found", async () => {
      store.tamper(place, { is: "event", seq: 1, column: "at", value: "5" });
      store.tamper(place, { is: "event", seq: 2, column: "previous", value: digestOfCanonical("event", "[]") });
      store.tamper(place, { is: "event", seq: 4, column: "event", value: "{" });
      await reopened(async (other) => {
        expect((await other.verify()).problems).toEqual([
          { code: "WRONG_HASH", entry: 1 },
          { code: "WRONG_PREVIOUS", entry: 2 },
          { code: "WRONG_HASH", entry: 2 },
          { code: "UNREADABLE_EVENT", entry: 4, problems: ["event: NOT_JSON at offset 1"] },
        ]);
      });
    });
  });
}
