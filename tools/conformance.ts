import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { approve } from "../test/rig/approve.ts";
import { Child } from "../test/rig/child.ts";
import { freePort } from "../test/rig/free-port.ts";
import { gatewayIn } from "../test/rig/gateway.ts";
import { openPlace } from "../test/rig/place.ts";
import { byteProxy } from "./conformance/byte-proxy.ts";
import { type Check, type Count, countOf, differencesOf } from "./conformance/checks.ts";
import { firstLook } from "./conformance/first-look.ts";
import { type Fixture, prepareFixture } from "./conformance/fixture.ts";
import { clientChecks, type Suite, scenarioChecks, serverChecks } from "./conformance/suite.ts";

/**
 * `npm run conformance -- --fixture DIR [--through proxy] [--only text]`: the official conformance suite against the server
 * of the SDK's repository (DIR is a checkout of its `test/conformance`), directly and through `countersign gateway`, and its
 * client scenarios the same two ways. Exits with 0 only where every check comes out the same, and as many pass as should.
 */
const { values } = parseArgs({
  options: { fixture: { type: "string" }, through: { type: "string", default: "gateway" }, only: { type: "string" } },
});

/** What the fixture passes by itself. The 30 checks that it fails are of an extension that it does not have. */
const expected: ReadonlyMap<string, Count> = new Map([
  ["2025-11-25", { passed: 84, of: 84 }],
  ["2026-07-28", { passed: 164, of: 194 }],
]);

/** The scenarios of a client in which it signs in nowhere. */
const clientScenarios: readonly (readonly [revision: string, scenario: string])[] = [
  ...["initialize", "tools_call", "elicitation-sep1034-client-defaults", "sse-retry"].map(older),
  older("json-schema-2020-12-preservation"),
  ...["tools_call", "request-metadata", "sep-2322-client-request-state"].map(newer),
  ...["http-standard-headers", "http-custom-headers", "http-invalid-tool-headers"].map(newer),
  ...["json-schema-ref-no-deref", "json-schema-2020-12-preservation"].map(newer),
];

function older(scenario: string): readonly [string, string] {
  return ["2025-11-25", scenario];
}

function newer(scenario: string): readonly [string, string] {
  return ["2026-07-28", scenario];
}

if (values.fixture === undefined || (values.through !== "gateway" && values.through !== "proxy")) {
  console.error("Usage: npm run conformance -- --fixture <checkout of test/conformance> [--through gateway|proxy]");
  process.exitCode = 3;
} else {
  const scratch = mkdtempSync(join(tmpdir(), "conformance-"));
  try {
    const fixture = prepareFixture(values.fixture, scratch);
    const rows = [
      ...(await servers(fixture, { scratch }, values.through)),
      ...(values.through === "gateway" ? await clients(fixture, { scratch }) : []),
    ];
    if (!printed(rows, values.through)) process.exitCode = 1;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

interface Row {
  readonly what: string;
  readonly direct: readonly Check[];
  readonly through: readonly Check[];
  /** How many have to pass directly, where that is known. */
  readonly expected?: Count | undefined;
}

async function servers(fixture: Fixture, suite: Suite, through: string): Promise<readonly Row[]> {
  const port = await freePort();
  const url = new URL(`http://localhost:${port}/mcp`);
  const server = new Child(fixture.server, { cwd: suite.scratch, env: { ...here(), PORT: String(port) } });
  try {
    await server.says(/running on/);
    return through === "proxy" ? await behindProxy(suite, url) : await behindGateway(suite, url);
  } finally {
    await server.end();
  }
}

async function behindProxy(suite: Suite, url: URL): Promise<readonly Row[]> {
  const proxy = await byteProxy(url);
  try {
    return await bothRevisions(suite, url, new URL("/mcp", proxy.origin));
  } finally {
    await proxy.close();
  }
}

async function behindGateway(suite: Suite, url: URL): Promise<readonly Row[]> {
  const place = openPlace();
  const gateway = await gatewayIn(place, {
    servers: { fixture: { url: url.href, allow: ["sampling/createMessage"] } },
  });
  try {
    const through = new URL(gateway.url("fixture").href.replace("127.0.0.1", "localhost"));
    await firstLook(through);
    await approve(place, "fixture");
    // One prompt says nothing before it is told something, so what it says then is seen only now.
    await scenarioChecks(suite, "2026-07-28", "input-required-result-non-tool-request", through);
    await approve(place, "fixture");
    return await bothRevisions(suite, url, through);
  } finally {
    await gateway.close();
    if (process.env["COUNTERSIGN_SHOW_GATEWAY"] !== undefined) console.error(gateway.child.output);
    await place.close();
  }
}

async function bothRevisions(suite: Suite, direct: URL, through: URL): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const [revision, count] of expected) {
    rows.push({
      what: `server ${revision}`,
      direct: await serverChecks(suite, revision, direct),
      through: await serverChecks(suite, revision, through),
      expected: count,
    });
  }
  return rows;
}

async function clients(fixture: Fixture, suite: Suite): Promise<readonly Row[]> {
  const wrapper = [process.execPath, resolve(import.meta.dirname, "conformance/client-through.ts")];
  const rows: Row[] = [];
  for (const [revision, scenario] of clientScenarios) {
    if (values.only !== undefined && !scenario.includes(values.only)) continue;
    const run = { scenario, revision, env: {} };
    rows.push({
      what: `client ${revision} ${scenario}`,
      direct: await clientChecks(suite, { ...run, command: fixture.client }),
      through: await clientChecks(suite, { ...run, command: [...wrapper, ...fixture.client] }),
    });
  }
  return rows;
}

/** Both columns, and every check that differs. Returns whether the columns are equal, and as they should be. */
function printed(rows: readonly Row[], through: string): boolean {
  const width = Math.max(...rows.map(({ what }) => what.length));
  const tally = ({ passed, of }: Count) => `${passed}/${of}`;
  console.log(`${"".padEnd(width)}   direct   ${through}`);
  let good = rows.length > 0;
  for (const row of rows) {
    const [direct, other] = [countOf(row.direct), countOf(row.through)];
    const { passed, of } = row.expected ?? { passed: direct.of, of: direct.of };
    const asExpected = direct.passed === passed && direct.of === of && direct.of > 0;
    const differences = differencesOf(row.direct, row.through);
    console.log(`${row.what.padEnd(width)}   ${tally(direct).padEnd(9)}${tally(other)}`);
    if (!asExpected) console.log(`  directly it should be ${tally({ passed, of })}`);
    for (const { scenario, check, direct: was, through: is, because } of differences)
      console.log(`  ${scenario}: ${check}: ${was} directly, ${is} through${because === "" ? "" : `: ${because}`}`);
    good &&= asExpected && differences.length === 0;
  }
  return good;
}

function here(): Record<string, string> {
  return Object.fromEntries(Object.entries(process.env).map(([name, value = ""]) => [name, value]));
}
