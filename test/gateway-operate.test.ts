import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect } from "vitest";
import { Child } from "./rig/child.ts";
import { freePort } from "./rig/free-port.ts";
import { gatewayIn } from "./rig/gateway.ts";
import { HttpHost } from "./rig/http-host.ts";
import { installed, type Place } from "./rig/place.ts";
import { test } from "./rig/test.ts";

const [command = "", ...args] = installed("mcp-server-memory");
const memory = { command, args, firstSight: "approve-clean" };

interface Line {
  readonly is: "span" | "record";
  readonly name: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly kind?: number;
  readonly traceId?: string;
  readonly spanId?: string;
  readonly parent?: string;
  readonly status?: { readonly code: number };
}

async function metricsOf(origin: string, headers: Record<string, string> = {}): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(new URL("/metrics", origin), { headers })).text();
  const samples = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    samples.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))]),
  );
}

/** A session in which two tools are called, one of them withheld. */
async function session(url: URL, headers: Record<string, string> = {}): Promise<HttpHost> {
  const host = new HttpHost(url, headers);
  await host.initialize();
  await host.ask("tools/list");
  await host.ask("tools/call", { name: "read_graph", arguments: {} });
  await host.ask("tools/call", { name: "no_such_tool", arguments: {} });
  return host;
}

function telemetryIn(place: Place): { readonly env: Record<string, string>; readonly lines: () => readonly Line[] } {
  const file = join(place.folder, "telemetry.jsonl");
  const fixture = resolve(import.meta.dirname, "fixtures/telemetry.ts");
  return {
    env: { NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import ${fixture}`, TELEMETRY_FILE: file },
    lines: () =>
      readFileSync(file, "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Line),
  };
}

describe("what an operator sees of a gateway", () => {
  test("counts what happened, by its own name of the server [operate.metrics]", async ({ place }) => {
    const gateway = await gatewayIn(place, { servers: { notes: memory } });
    const host = await session(gateway.url("notes"));
    const metrics = await metricsOf(gateway.origin);
    const of = (name: string) => metrics.get(name);
    expect(of('countersign_requests_total{server="notes",method="tools/call",outcome="result"}')).toBe(1);
    expect(of('countersign_requests_total{server="notes",method="tools/call",outcome="refused"}')).toBe(1);
    expect(of('countersign_request_duration_seconds_count{server="notes",method="tools/call"}')).toBe(2);
    expect(of('countersign_requests_open{server="notes"}')).toBe(0);
    expect(of('countersign_sessions_open{server="notes"}')).toBe(1);
    expect(of('countersign_children{server="notes"}')).toBe(1);
    expect(of('countersign_definitions{server="notes",source="tools/list",verdict="bind"}')).toBe(9);
    expect(of('countersign_uses_refused_total{server="notes",kind="tool",code="NOT_OFFERED"}')).toBe(1);
    expect(of("countersign_ledger_age_seconds")).toBeLessThan(10);
    expect(of("process_resident_memory_bytes")).toBeGreaterThan(1_000_000);
    await host.delete();
    const after = await metricsOf(gateway.origin);
    expect(after.get('countersign_sessions_open{server="notes"}')).toBe(0);
    expect(after.get('countersign_sessions_ended_total{server="notes",by="host"}')).toBe(1);
    await gateway.close();
  });

  test("answers an orchestrator, and stops being ready before it stops [operate.health]", async ({ place }) => {
    const gateway = await gatewayIn(place, { servers: { notes: memory }, gateway: { limits: { drainNotice: 1 } } });
    expect((await fetch(new URL("/healthz", gateway.origin))).status).toBe(200);
    const ready = await fetch(new URL("/readyz", gateway.origin));
    expect([ready.status, await ready.text()]).toEqual([200, "ready\n"]);
    expect((await fetch(new URL("/readyz", gateway.origin), { method: "POST" })).status).toBe(405);
    const ending = gateway.child.end();
    await gateway.child.says(/draining/);
    const draining = await fetch(new URL("/readyz", gateway.origin));
    expect([draining.status, await draining.text()]).toEqual([503, "draining\n"]);
    expect((await fetch(new URL("/healthz", gateway.origin))).status).toBe(200);
    expect(await ending).toBe(0);
  });

  test("says in one line each what happened, and no name of a server's unless it is asked [operate.log]", async ({
    place,
  }) => {
    const gateway = await gatewayIn(place, { servers: { notes: memory }, gateway: { log: "json" } });
    await session(gateway.url("notes"));
    await gateway.close();
    const lines = gateway.child.output
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ event }) => event)).toEqual(
      expect.arrayContaining(["listening", "child-started", "use-refused", "stopped"]),
    );
    const refused = lines.find(({ event }) => event === "use-refused");
    expect(refused).toEqual({
      time: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/),
      level: "warn",
      event: "use-refused",
      server: "notes",
      principal: "anonymous",
      kind: "tool",
      code: "NOT_OFFERED",
      review: expect.stringMatching(/^cs-[0-9a-f]{12}$/),
    });
    expect(gateway.child.output).not.toContain("no_such_tool");
    expect(gateway.child.output).not.toContain("Knowledge Graph MCP Server");
  });

  test("gives spans and durations to the SDK that a user brings, whatever its version [operate.traces]", async ({
    place,
  }) => {
    const { env, lines } = telemetryIn(place);
    const gateway = await gatewayIn(place, { servers: { notes: memory }, env });
    const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    const host = await session(gateway.url("notes"));
    await host.ask("tools/call", { name: "read_graph", arguments: {}, _meta: { traceparent } });
    await gateway.close();
    const spans = lines().filter(({ is }) => is === "span");
    const called = spans.filter(({ name, kind }) => name === "tools/call read_graph" && kind === 1);
    expect(called).toHaveLength(2);
    const [first, traced] = called;
    expect(first?.attributes).toEqual({
      "mcp.method.name": "tools/call",
      "mcp.protocol.version": "2025-11-25",
      "network.transport": "tcp",
      "countersign.server": "notes",
      "jsonrpc.request.id": expect.any(String),
      "mcp.session.id": expect.stringMatching(/^[0-9a-f]{32}$/),
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "read_graph",
      "countersign.outcome": "result",
    });
    expect(traced).toMatchObject({ traceId: "4bf92f3577b34da6a3ce929d0e0e4736", parent: "00f067aa0ba902b7" });
    const client = spans.find(({ kind, parent }) => kind === 2 && parent === traced?.spanId);
    expect(client?.name).toBe("tools/call read_graph");
    const refused = spans.find(({ attributes }) => attributes["countersign.outcome"] === "refused");
    expect(refused).toMatchObject({
      name: "tools/call",
      status: { code: 2 },
      attributes: { "error.type": "-32602", "rpc.response.status_code": "-32602" },
    });
    // What nobody approved has no name, and nothing has a description.
    expect(JSON.stringify(lines())).not.toMatch(/no_such_tool|knowledge graph/i);
    const records = lines().filter(({ is }) => is === "record");
    expect(new Set(records.map(({ name }) => name))).toEqual(
      new Set(["mcp.server.operation.duration", "mcp.client.operation.duration"]),
    );
    expect(records.find(({ attributes }) => attributes["gen_ai.tool.name"] === "read_graph")?.attributes).toEqual({
      "mcp.method.name": "tools/call",
      "mcp.protocol.version": "2025-11-25",
      "network.transport": "tcp",
      "countersign.server": "notes",
      "countersign.outcome": "result",
      "gen_ai.tool.name": "read_graph",
    });
  });

  test("tells whoever others can reach it by no name of a server without a credential [operate.metrics-access]", async ({
    place,
  }) => {
    const port = await freePort();
    place.write("config/countersign/countersign.jsonc", {
      servers: { notes: memory },
      gateway: { listen: `0.0.0.0:${port}`, hosts: ["127.0.0.1"], behindTlsProxy: true },
    });
    const child = new Child(place.command("gateway"), { cwd: place.folder, env: { ...place.env } });
    await child.says(/listening at=/);
    const answers = await Promise.all(
      ["/healthz", "/readyz", "/metrics", "/metrics/"].map(async (path) => {
        const answer = await fetch(`http://127.0.0.1:${port}${path}`);
        return [answer.status, await answer.text()] as const;
      }),
    );
    expect(answers.map(([status]) => status)).toEqual([200, 200, 401, 404]);
    expect(answers.map(([, text]) => text).join("")).not.toContain("notes");
    expect(await child.end()).toBe(0);
  });

  test("loads OpenTelemetry for a gateway only, and not where a server is run [operate.traces-cost]", () => {
    const dist = resolve(import.meta.dirname, "../packages/gate/dist");
    const holds = (file: string) => readFileSync(join(dist, file), "utf8").includes("opentelemetry.js.api");
    const files = readdirSync(dist).filter((file) => file.endsWith(".js"));
    expect(files.filter(holds)).not.toEqual([]);
    const reached = new Set(files.filter((file) => file === "bin.js" || file.startsWith("run-from-arguments-")));
    expect(reached.size).toBe(2);
    // A set that grows while it is gone through: everything that these load before anything is asked of them.
    for (const file of reached) {
      const text = readFileSync(join(dist, file), "utf8");
      for (const [, next = ""] of text.matchAll(/^(?:import|export)\b[^;]*?"\.\/([^"]+\.js)";$/gm)) reached.add(next);
    }
    expect(reached.size).toBeGreaterThan(3);
    expect([...reached].filter(holds)).toEqual([]);
  });
});
