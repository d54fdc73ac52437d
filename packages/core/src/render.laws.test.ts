import fc from "fast-check";
import { expect, test } from "vitest";
import { type Address, asServerName, type Kind } from "./address.ts";
import { canonicalize } from "./canonical.ts";
import { digestOf } from "./digest.ts";
import { type Json, readJson } from "./json.ts";
import { type Plan, planOf, proses } from "./plan.ts";
import type { Pointer } from "./pointer.ts";
import { contractOf, render } from "./render.ts";
import { type Carrier, surfaceOf, textOf } from "./surface.ts";
import { definition } from "./under-test/arbitrary-definition.ts";

const kinds = ["tool", "prompt", "resource", "server"] as const;
const kind = fc.constantFrom(...kinds);

test("stripped and set leave no text of the server's but what a contract names", () => {
  fc.assert(
    fc.property(kind, definition, fc.string(), (kind, value, own) => {
      const text = JSON.stringify(value);
      const set = annotationsIn(kind, text).map((at) => ({ at, to: `operator: ${own}` }));
      const rendered = rendering(kind, text, { prose: "stripped", set: sorted(set) });
      const operators = new Set(set.map(({ at }) => at));
      const names = contractTexts(kind, rendered);
      for (const carrier of surfaceOf(addressOf(kind), read(rendered)).carriers) {
        const said = textOf(carrier);
        if (said === undefined || operators.has(carrier.at)) continue;
        // A default that the contract lists is the contract's word.
        if (carrier.at.includes("/default") && names.has(said)) continue;
        expect(isContract(carrier), `${carrier.part} at ${carrier.at} says ${said}`).toBe(true);
      }
    }),
  );
});

test("what a plan masks can change without a change of the contract, and nothing else can", () => {
  fc.assert(
    fc.property(kind, fc.constantFrom(...proses), definition, fc.nat(), (kind, prose, value, pick) => {
      const text = JSON.stringify(value);
      const plan = planOf(prose, [], false);
      const leaves = surfaceOf(addressOf(kind), read(text)).carriers.filter(({ part }) => part === "leaf");
      const chosen = leaves[pick % Math.max(1, leaves.length)];
      if (chosen === undefined || chosen.part !== "leaf" || chosen.at === "") return;
      const changed = replaced(text, chosen.json, '"another text altogether"');
      const same = canonicalize(contractOf(kind, changed, plan)) === canonicalize(contractOf(kind, text, plan));
      const places = (one: string) =>
        new Set(surfaceOf(addressOf(kind), read(rendering(kind, one, plan))).carriers.map(({ at }) => at));
      const wasRead = places(text).has(chosen.at);
      const isRead = places(changed).has(chosen.at);
      if (prose === "stripped") expect(same).toBe(!wasRead && !isRead);
      if (prose === "as-sent") expect(same).toBe(false);
    }),
  );
});

test("under frozen, a text for a reader may change, go or come", () => {
  fc.assert(
    fc.property(definition, fc.option(fc.string()), fc.option(fc.string()), (value, title, description) => {
      const frozen = planOf("frozen", [], false);
      const { title: _, description: __, ...bare } = value as Readonly<Record<string, unknown>>;
      const other = {
        ...(title === null ? {} : { title }),
        ...bare,
        ...(description === null ? {} : { description }),
      };
      const contract = (one: unknown) => canonicalize(contractOf("tool", JSON.stringify(one), frozen));
      expect(contract(other)).toBe(contract(value));
      expect(contract({ ...other, execution: "another" })).not.toBe(contract(value));
    }),
  );
});

test("a rendering is JSON, and renders to itself under the same plan", () => {
  fc.assert(
    fc.property(kind, fc.constantFrom(...proses), definition, (kind, prose, value) => {
      const plan = planOf(prose, [], false);
      const once = rendering(kind, JSON.stringify(value), plan);
      expect(rendering(kind, once, plan)).toBe(once);
    }),
  );
});

function rendering(kind: Kind, text: string, plan: Plan): string {
  const rendered = render(kind, text, digestOf(kind, read(text)), plan);
  if (rendered.is === "unfit") throw new Error(JSON.stringify(rendered.misfits));
  return rendered.rendering.text;
}

/** Every description and title that stands where a text for a reader stands, and is one. */
function annotationsIn(kind: Kind, text: string): readonly Pointer[] {
  const stripped = new Set(
    surfaceOf(addressOf(kind), read(rendering(kind, text, planOf("stripped", [], false)))).carriers.map(({ at }) => at),
  );
  return surfaceOf(addressOf(kind), read(text))
    .carriers.filter(({ part, at, role }) => part === "leaf" && role === "prose" && /\/(?:description|title)$/.test(at))
    .filter(({ at }) => !stripped.has(at) && stripped.has(parentOf(at)))
    .filter((carrier) => textOf(carrier) !== undefined && carrier.at.split("/").length < 5)
    .map(({ at }) => at);
}

function parentOf(at: Pointer): Pointer {
  return at.slice(0, at.lastIndexOf("/")) as Pointer;
}

function isContract({ part, role, at }: Carrier): boolean {
  if (part === "key") return role === "contract" || role === "identity";
  return (
    role === "contract" ||
    role === "identity" ||
    role === "hint" ||
    at.endsWith("/mimeType") ||
    at.endsWith("/lastModified")
  );
}

function contractTexts(kind: Kind, text: string): ReadonlySet<string> {
  return new Set(
    surfaceOf(addressOf(kind), read(text))
      .carriers.filter(isContract)
      .map(textOf)
      .filter((one) => one !== undefined),
  );
}

function replaced(text: string, json: Json, by: string): string {
  return text.slice(0, json.start) + by + text.slice(json.end);
}

function sorted<T extends { at: Pointer }>(list: readonly T[]): readonly T[] {
  return [...list].sort((a, b) => (a.at < b.at ? -1 : 1));
}

function read(text: string): Json {
  const reading = readJson(text);
  if (reading.is === "refused") throw new Error(reading.refusal.code);
  return reading.json;
}

function addressOf(kind: Kind): Address {
  const server = asServerName("files");
  if (server === undefined) throw new Error("no name of a server");
  return { server, kind, name: "a" };
}

test("no plan takes the items of an array away [complaint.items]", () => {
  const json = (schema: string) => `{"name":"a","description":"b","inputSchema":${schema}}`;
  const list = '{"type":"array","description":"c","items":{"type":"string","description":"d"}}';
  const text = json(`{"type":"object","properties":{"list":${list},"lists":{"type":"array","items":${list}}}}`);
  const arrays = (schema: Json): number => {
    if (schema.is === "array") return schema.items.reduce((all, item) => all + arrays(item), 0);
    if (schema.is !== "object") return 0;
    const here = schema.members.some(({ key, value }) => key === "items" && value.is === "object") ? 1 : 0;
    return schema.members.reduce((all, { value }) => all + arrays(value), here);
  };
  for (const prose of proses) {
    for (const close of [false, true]) expect(arrays(read(rendering("tool", text, planOf(prose, [], close))))).toBe(3);
  }
});
