import { describe, expect } from "vitest";
import { carriersOf } from "../packages/gate/src/prove/carriers.ts";
import { type Mutant, mutate, mutations } from "../packages/gate/src/prove/mutations.ts";
import { pick, seededRandom } from "../packages/gate/src/prove/random.ts";
import { respell, spellings } from "../packages/gate/src/prove/respell.ts";
import { locate } from "../packages/gate/src/prove/spot.ts";
import { approve } from "./rig/approve.ts";
import { installed, type Place } from "./rig/place.ts";
import { answer, hello, scripted } from "./rig/script.ts";
import { test } from "./rig/test.ts";

const seed = "countersign";

/** The tools of a real server, as it writes them. */
async function toolsOf(place: Place, command: readonly string[]): Promise<readonly string[]> {
  const host = place.host(command);
  await host.initialize({ capabilities: { roots: {}, sampling: {}, elicitation: {} } });
  const { result } = await host.ask("tools/list");
  await host.end();
  return result?.tools?.map((one) => JSON.stringify(one)) ?? [];
}

describe("a seeded sample of what prove does, through a real process", { concurrent: true }, () => {
  for (const [name, ...args] of [["mcp-server-everything"], ["mcp-server-filesystem", import.meta.dirname]] as const) {
    test(`catches every change of ${name} and no respelling [prove.run]`, async ({ place }) => {
      const random = seededRandom(`${seed} ${name}`);
      const tools = await toolsOf(place, installed(name, ...args));
      expect(tools.length).toBeGreaterThan(10);

      const moves: {
        readonly index: number;
        readonly what: string;
        readonly text: string;
        readonly refusesFrame: boolean;
      }[] = [];
      while (moves.length < 100) {
        const index = Math.floor(random() * tools.length);
        const text = tools[index] ?? "";
        const carrier = pick(carriersOf(JSON.parse(text), locate(text)), random);
        const mutation = pick(mutations, random);
        const mutant: Mutant | undefined = mutate(text, carrier, mutation, random);
        if (mutant === undefined) continue;
        const what = `${mutation.name} at ${carrier.part} ${carrier.at} of tool ${index}`;
        moves.push({ index, what, text: mutant.text, refusesFrame: mutation.refusesFrame === true });
      }
      const respelled = tools.map((text) =>
        respell(text, locate(text), pick(spellings, random), random).replaceAll("\n", " "),
      );

      const list = (of: readonly string[]) => [answer(`{"tools":[${of.join(",")}]}`)];
      const seen = place.host(
        place.guarded(
          "real",
          scripted(place, { initialize: [hello("tools")], "tools/list": list(tools) }, [], "real.json"),
        ),
      );
      await seen.initialize();
      await approve(place, "real", "--acknowledge", ...(await rulesAgainst(place)));

      // The first list is the guard's own; then one for each change, and the respelled one for all others.
      const changed = moves.map(
        ({ index, text }, nth) => [`tools/list#${nth + 2}`, list(tools.with(index, text))] as const,
      );
      const script = { initialize: [hello("tools")], ...Object.fromEntries(changed), "tools/list": list(respelled) };
      const host = place.host(place.guarded("real", scripted(place, script, [], "real.json")));
      await host.initialize();
      expect(host.messages[0]?.result?.instructions).toBeUndefined();
      const missed: string[] = [];
      for (const { index, what, refusesFrame } of moves) {
        const { result, error } = await host.ask("tools/list");
        const served = result?.tools?.map((one) => JSON.stringify(one));
        const rest = tools.toSpliced(index, 1);
        if (refusesFrame && error !== undefined) continue;
        if (JSON.stringify(served) !== JSON.stringify(rest))
          missed.push(`${what}: ${served?.length ?? error?.message}`);
      }
      expect(missed).toEqual([]);
      await host.ask("tools/list");
      expect(host.lines.at(-1)).toBe(
        `{"jsonrpc":"2.0","id":${moves.length + 2},"result":{"tools":[${tools.join(",")}]}}`,
      );
    });
  }
});

/** What has to be acknowledged for the unchanged tools to be approved. */
async function rulesAgainst(place: Place): Promise<readonly string[]> {
  const { stdout } = await place.countersign("status", "real", "--json");
  const { servers } = JSON.parse(stdout) as { servers: { definitions: { reasons: { rule?: string }[] }[] }[] };
  const rules = servers.flatMap(({ definitions }) => definitions.flatMap(({ reasons }) => reasons));
  return ["none", ...new Set(rules.flatMap(({ rule }) => (rule === undefined ? [] : [rule])))];
}
