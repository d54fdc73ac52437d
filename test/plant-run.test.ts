import { describe, expect } from "vitest";
import { carriersOf } from "../packages/gate/src/prove/carriers.ts";
import { dealPayloads } from "../packages/gate/src/prove/payloads.ts";
import { plantIn, plantingOf } from "../packages/gate/src/prove/planting.ts";
import { pick, seededRandom } from "../packages/gate/src/prove/random.ts";
import { locate } from "../packages/gate/src/prove/spot.ts";
import { installed } from "./rig/place.ts";
import { answer, hello, scripted } from "./rig/script.ts";
import { test } from "./rig/test.ts";

interface Reason {
  readonly gate: string;
  readonly effect?: string;
  readonly part?: string;
  readonly span?: { readonly start: number; readonly end: number };
  readonly excerpt?: string;
  readonly faults?: readonly { readonly at: string }[];
}

describe("a seeded sample of what prove --plant does, through a real process", { concurrent: true }, () => {
  for (const [name, ...args] of [["mcp-server-everything"], ["mcp-server-filesystem", import.meta.dirname]] as const) {
    test(`locates what is planted in the tools of ${name} [prove.plant-run]`, async ({ place }) => {
      const random = seededRandom(`countersign ${name}`);
      const real = place.host(installed(name, ...args));
      await real.initialize({ capabilities: { roots: {}, sampling: {}, elicitation: {} } });
      const { result } = await real.ask("tools/list");
      await real.end();
      const tools = (result?.tools ?? []) as readonly { readonly name: string }[];
      expect(tools.length).toBeGreaterThan(10);

      const deal = dealPayloads(random);
      const planted = Array.from({ length: 4 }, () =>
        tools.map((tool) => {
          const text = JSON.stringify(tool);
          const carriers = carriersOf(tool, locate(text)).filter(({ at }) => at !== "/name");
          const one = plantingOf(pick(carriers, random), deal("any")[0] ?? expect.fail("no payload"), random);
          // A key that is gone could leave no tool behind.
          const { text: changed, planted } = plantIn(text, [{ ...one, beside: one.carrier.part === "key" }]);
          return { name: tool.name, text: changed, one: planted[0] ?? expect.fail("nothing planted") };
        }),
      );

      const missed: string[] = [];
      for (const [nth, list] of planted.entries()) {
        const server = `real-${nth}`;
        const tools = answer(`{"tools":[${list.map(({ text }) => text).join(",")}]}`);
        const host = place.host(
          place.guarded(server, scripted(place, { initialize: [hello("tools")], "tools/list": [tools] })),
        );
        await host.initialize();
        expect((await host.ask("tools/list")).result?.tools).toEqual([]);
        const { stdout } = await place.countersign("status", server, "--json", "--text");
        const { servers } = JSON.parse(stdout) as {
          servers: { definitions: { kind: string; name: string; reasons: Reason[] }[] }[];
        };
        const definitions = servers.flatMap((one) => one.definitions);
        for (const { name, one } of list) {
          const reasons = definitions.find((row) => row.kind === "tool" && row.name === name)?.reasons ?? [];
          const located = reasons.some(
            ({ gate, effect, part, span, excerpt = "", faults = [] }) =>
              // No text may stand there.
              faults.some(({ at }) => at === one.at) ||
              (gate === "description" &&
                effect !== "note" &&
                part === one.part &&
                span !== undefined &&
                span.start < one.span.end &&
                one.span.start < span.end &&
                one.says.includes(excerpt.replace(/^…|…$/g, ""))),
          );
          if (!located) missed.push(`${one.payload.family} ${one.way} at ${one.part} ${one.at} of tool ${name}`);
        }
      }
      expect(missed).toEqual([]);
    });
  }

  test("prove --plant does so by itself, and says so by its exit code [prove.plant]", async ({ place }) => {
    const server = ["memory", "--", ...installed("mcp-server-memory")];
    const { code, stdout } = await place.countersign("prove", "--plant", "--json", ...server);
    const { carriers, planted, located, refused, missed } = JSON.parse(stdout);
    expect(missed).toEqual([]);
    expect(code).toBe(0);
    expect(carriers).toBeGreaterThan(300);
    expect(planted).toBeGreaterThan(carriers);
    expect(located + refused).toBe(planted);
    const nothing = await place.countersign("prove", "--plant", "--offers", "nothing");
    expect(nothing.code).toBe(3);
  });
});
