import { asServerName, ManifestBindingError, type ServerName } from "@countersign/core";
import { expect, test } from "vitest";
import { GateError } from "../gate-error.ts";
import { ledgerInMemory } from "./ledgers.ts";

const notes = asServerName("notes") as ServerName;
const tool = { name: "read", inputSchema: { type: "object" } };

test("ledgerInMemory() knows what it was given, sound and of this process alone", async () => {
  const ledger = await ledgerInMemory([
    { server: "notes", definitions: { instructions: "Use notes.", tools: [tool] }, acknowledged: ["precedence"] },
    { server: "mail", definitions: [{ name: "daily" }], kind: "prompt" },
  ]);
  const { bindings, neighbours } = await ledger.snapshot(notes);
  expect([...bindings.keys()]).toEqual(["instructions initialize", "tool read"]);
  expect(bindings.get("tool read")).toMatchObject({ by: "the program", acknowledged: [{ rule: "precedence" }] });
  expect(neighbours).toEqual([]);
  expect(await ledger.verify()).toMatchObject({ problems: [] });
  const other = await ledgerInMemory([]);
  expect((await other.state()).servers.size).toBe(0);
  await ledger.close();
  await other.close();
  await expect(ledger.seq()).rejects.toThrow();
});

test("ledgerInMemory() approves nothing that it cannot read", async () => {
  const approving = (server: string, definitions: string | object) => ledgerInMemory([{ server, definitions }]);
  await expect(approving("no name", [tool])).rejects.toThrow(GateError);
  await expect(approving("notes", [tool, { name: "odd", inputSchema: 1 }])).rejects.toThrow(ManifestBindingError);
  await expect(approving("notes", '[{"name":"a","name":"b"}]')).rejects.toThrow(/DUPLICATE_KEY/);
});
