import { asServerName, digestOf, type Kind, type Reason, readJson } from "@countersign/core";
import { expect, test } from "vitest";
import type { Stood } from "./standing.ts";
import { withinReach } from "./within-reach.ts";

const server = asServerName("notes");
if (server === undefined) throw new Error("no name of a server");
const of = server;

function stood(kind: Kind, name: string, code: "NO_BASELINE" | "REJECTED" | "bound" = "NO_BASELINE"): Stood {
  const reading = readJson("{}");
  if (reading.is === "refused") throw new Error(reading.refusal.code);
  const address = { server: of, kind, name };
  const received = digestOf(kind, reading.json);
  const reasons: readonly Reason[] = code === "bound" ? [] : [{ gate: "baseline", code }];
  return {
    definition: { address, text: "{}", json: reading.json, received },
    ruling:
      code === "bound"
        ? { address, reasons, verdict: "bind", received, rendering: { text: "{}", digest: received } }
        : { address, reasons, verdict: "quarantine", received },
    plan: { prose: "as-sent" },
  };
}

function namesLeft(...all: readonly Stood[]): readonly string[] {
  return withinReach(all)
    .map(({ definition }) => definition.address)
    .filter(({ kind }) => kind === "body" || kind === "view")
    .map(({ name }) => name);
}

test("withinReach() leaves out what nobody can ask for, and nothing that is bound [body.reach]", () => {
  const daily = stood("body", "prompts/get daily");
  const page = stood("view", "resources/read ui://a b");
  expect(namesLeft(stood("prompt", "daily"), stood("resource", "ui://a b"), daily, page)).toEqual([
    "prompts/get daily",
    "resources/read ui://a b",
  ]);
  expect(namesLeft(daily, page)).toEqual([]);
  expect(namesLeft(stood("resource", "daily"), stood("prompt", "ui://a b"), daily, page)).toEqual([]);
  expect(namesLeft(stood("prompt", "daily", "REJECTED"), daily)).toEqual([]);
  expect(namesLeft(stood("template", "ui://{x}"), daily, page)).toEqual(["resources/read ui://a b"]);
  expect(namesLeft(stood("body", "prompts/get daily", "bound"))).toEqual(["prompts/get daily"]);
});
