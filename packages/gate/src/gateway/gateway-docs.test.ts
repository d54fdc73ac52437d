import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { limitsSchema } from "./limits-schema.ts";
import { gatewayMetrics } from "./metrics.ts";
import { reachMembers } from "./reach-schema.ts";

const page = readFileSync(join(import.meta.dirname, "../../../../docs/gateway.md"), "utf8");

test("docs/gateway.md names every metric, every setting of a server and every limit [operate.docs]", () => {
  const text = gatewayMetrics({ servers: [], ledgerAge: () => 0 }).text();
  const metrics = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = ""]) => name);
  const named = [...metrics, ...reachMembers, ...Object.keys(limitsSchema.shape)];
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test("docs/gateway.md names no metric that there is none of [operate.docs]", () => {
  const text = gatewayMetrics({ servers: [], ledgerAge: () => 0 }).text();
  const named = new Set(
    [...page.matchAll(/`((?:countersign|process|nodejs)_[a-z0-9_]+)/g)].map(([, name = ""]) => name),
  );
  expect([...named].filter((name) => !text.includes(`# TYPE ${name} `))).toEqual([]);
});
