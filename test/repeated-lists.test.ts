import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { asServerName, type ServerName } from "@countersign/core";
import { policyDigest, rulesetDigest } from "@countersign/judge";
import { type Ledger, openSqlite } from "@countersign/ledger";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { approvalOf } from "../packages/gate/src/approval.ts";
import { recordApproval } from "../packages/gate/src/commands/approve.ts";
import { type ServerSettings, settingsOf } from "../packages/gate/src/config.ts";
import { launchOffer } from "../packages/gate/src/launch/launch-offer.ts";
import { ruleByLedger } from "../packages/gate/src/rule-by-ledger.ts";
import { standingOf } from "../packages/gate/src/standing.ts";
import { Guard } from "../packages/wire/src/guard.ts";
import { onlyLists } from "../packages/wire/src/only-lists.ts";

const server = asServerName("notes") as ServerName;
const minute = 60_000;
const read = '{"name":"read","description":"Reads a note.","inputSchema":{"type":"object","properties":{}}}';
const save = '{"name":"save","description":"Saves a note.","inputSchema":{"type":"object","properties":{}}}';
let folder: string;
let ledger: Ledger;
let time: number;
let settings: ServerSettings;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "countersign-gate-"));
  time = Date.UTC(2026, 10, 30);
  ledger = await openSqlite(join(folder, "ledger.db"), { now: () => time });
  settings = await settingsOf(server, join(folder, "none.jsonc"), false);
});
afterEach(async () => {
  await ledger.close();
  await rm(folder, { recursive: true });
});

/** One connection. Gives the server's line for a list, and resolves with the line that the host gets. */
function connect(program = "node") {
  let answered: (line: string) => void = () => undefined;
  const toServer: string[] = [];
  const guard = new Guard({
    server,
    ...onlyLists,
    rule: ruleByLedger(ledger, launchOffer(server, { command: program, args: [] }), settings, () => time),
    known: async () => (await ledger.snapshot(server)).bindings.size > 0,
    toHost: (message) => answered(Buffer.from(message).toString()),
    toServer: (text) => toServer.push(text),
    report: () => undefined,
    nonce: "nonce",
    checkpoints: { load: false, change: false, refetchOnCall: false },
  });
  return async (id: number, result: string): Promise<string> => {
    guard.fromHost(Buffer.from(`{"jsonrpc":"2.0","id":${id},"method":"tools/list"}`));
    await guard.settled();
    const { promise, resolve } = Promise.withResolvers<string>();
    answered = resolve;
    guard.fromServer(Buffer.from(answer(id, result)));
    const line = await promise;
    await setImmediate();
    return line;
  };
}

function answer(id: number, result: string): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
}

function offering(...tools: readonly string[]): string {
  return `{"tools":[${tools.join(",")}]}`;
}

async function approve(expires?: number): Promise<void> {
  const standing = (await standingOf(ledger, server, settings.policy)) ?? expect.unreachable();
  if (expires === undefined) {
    const signing = {
      acknowledged: new Set<string>(),
      by: "ada",
      unseen: false,
      policy: policyDigest(settings.policy),
    };
    await recordApproval(ledger, standing, standing.definitions, signing);
    return;
  }
  const approval = approvalOf({
    ...{ server, offer: standing.offer, by: "ada" },
    definitions: standing.definitions.map(({ definition, plan }) => ({ definition, acknowledged: [], plan })),
    ...{ ruleset: rulesetDigest, policy: policyDigest(settings.policy) },
  });
  if (approval.is === "unfit") throw new RangeError("unfit");
  await ledger.record({ ...approval.event, expires }, { texts: approval.texts });
}

async function withdraw(is: "revoked" | "rejected", name: string): Promise<void> {
  const standing = (await standingOf(ledger, server, settings.policy)) ?? expect.unreachable();
  const definitions = standing.definitions
    .filter(({ definition }) => definition.address.name === name)
    .map(({ definition: { address, received } }) => ({ kind: address.kind, name: address.name, received }));
  expect(definitions).toHaveLength(1);
  await ledger.record({ is, server, definitions, by: "ada" });
}

describe("the same bytes again", () => {
  test("are served as they are under every id, for as long as they are approved [memo.unchanged]", async () => {
    const list = connect();
    const offer = offering(read, save);
    expect(await list(1, offer)).toBe(answer(1, offering()));
    expect(await list(2, offer)).toBe(answer(2, offering()));
    await approve();
    for (const id of [3, 4, 50, 6_000]) expect(await list(id, offer)).toBe(answer(id, offer));
  });

  test("are withheld as soon as one of them is revoked, and served again when it is approved again [memo.revoked]", async () => {
    const list = connect();
    const offer = offering(read, save);
    await list(1, offer);
    await approve();
    for (const id of [2, 3]) expect(await list(id, offer)).toBe(answer(id, offer));
    await withdraw("revoked", "save");
    for (const id of [4, 5, 6]) expect(await list(id, offer)).toBe(answer(id, offering(read)));
    await approve();
    for (const id of [7, 8]) expect(await list(id, offer)).toBe(answer(id, offer));
    await withdraw("rejected", "read");
    for (const id of [9, 10]) expect(await list(id, offer)).toBe(answer(id, offering(save)));
  });

  test("are withheld from the moment that their approval expires [memo.expired]", async () => {
    const list = connect();
    const offer = offering(read);
    await list(1, offer);
    await approve(time + minute);
    for (const id of [2, 3]) expect(await list(id, offer)).toBe(answer(id, offer));
    time += minute - 1;
    expect(await list(4, offer)).toBe(answer(4, offer));
    time += 1;
    for (const id of [5, 6]) expect(await list(id, offer)).toBe(answer(id, offering()));
  });

  test("pass under a bypass exactly until it is over [memo.bypassed]", async () => {
    const list = connect();
    const offer = offering(read);
    expect(await list(1, offer)).toBe(answer(1, offering()));
    await ledger.record({ is: "bypassed", server, until: time + minute, by: "ada" });
    for (const id of [2, 3]) expect(await list(id, offer)).toBe(answer(id, offer));
    time += minute;
    for (const id of [4, 5]) expect(await list(id, offer)).toBe(answer(id, offering()));
  });

  test("are withheld where the server is not reached as it was approved to be [memo.launch]", async () => {
    const offer = offering(read);
    const list = connect();
    await list(1, offer);
    await approve();
    expect(await list(2, offer)).toBe(answer(2, offer));
    const other = connect("env");
    for (const id of [1, 2]) expect(await other(id, offer)).toBe(answer(id, offering()));
    expect(await list(3, offer)).toBe(answer(3, offer));
  });

  test("are journalled again where the ledger was told other things in between [memo.sighted]", async () => {
    const [one, other] = [connect(), connect()];
    const sighted = async () => (await ledger.state()).servers.get(server)?.sightings.get("tools/list")?.definitions;
    await one(1, offering(read));
    await one(2, offering(read));
    expect((await ledger.state()).seq).toBe(2); // the launch, and the list
    await other(1, offering(save));
    expect((await sighted())?.map(({ name }) => name)).toEqual(["save"]);
    await one(3, offering(read));
    expect((await sighted())?.map(({ name }) => name)).toEqual(["read"]);
  });

  test("are what the server offers, whatever it offered in between [memo.back]", async () => {
    const list = connect();
    await list(1, offering(read));
    await approve();
    expect(await list(2, offering(read))).toBe(answer(2, offering(read)));
    expect(await list(3, offering(read.replace("a note", "all notes")))).toBe(answer(3, offering()));
    expect(await list(4, offering(read))).toBe(answer(4, offering(read)));
  });
});

describe("refusals that need the whole list", () => {
  test("two tools of one name are served neither the first time nor the next [memo.duplicates]", async () => {
    const list = connect();
    const offer = offering(read, save, save);
    await list(1, offer);
    await approve();
    for (const id of [2, 3]) expect(await list(id, offer)).toBe(answer(id, offering(read)));
  });

  test("a twin of a key refuses the list each time, also after a good one [memo.twins]", async () => {
    const list = connect();
    await list(1, offering(read));
    await approve();
    expect(await list(2, offering(read))).toBe(answer(2, offering(read)));
    const twins = `{"tools":[${read}],"Tools":[${save}]}`;
    for (const id of [3, 4]) expect(await list(id, twins)).toContain("TWIN_KEY");
    const doubled = `{"tools":[${read}],"tools":[${save}]}`;
    for (const id of [5, 6]) expect(await list(id, doubled)).toContain("DUPLICATE_KEY");
    expect(await list(7, offering(read))).toBe(answer(7, offering(read)));
  });
});

test("an event about another server leaves what this one is ruled by as it was [memo.others]", async () => {
  const offer = offering(read);
  const list = connect();
  await list(1, offer);
  await approve();
  const other = asServerName("other") as ServerName;
  const rule = ruleByLedger(ledger, launchOffer(other, { command: "node", args: [] }), settings, () => time);
  const before = await ledger.snapshot(server);
  await rule(launchOffer(other, { command: "node", args: [] }));
  const after = await ledger.snapshot(server);
  expect(after.seq).toBeGreaterThan(before.seq);
  expect(after.bindings).toBe(before.bindings);
  expect(after.texts).toBe(before.texts);
  expect(after.neighbours).toBe(before.neighbours);
  expect(await list(2, offer)).toBe(answer(2, offer));
});
