import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { gatewayMetrics } from "./metrics.ts";
import { hostileEvents, mark, serverName } from "./under-test/hostile-events.ts";

const files = serverName("files");

function metrics() {
  return gatewayMetrics({ servers: [files], ledgerAge: () => 1.5 });
}

function samplesOf(text: string): ReadonlyMap<string, number> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]),
  );
}

/** The text format 0.0.4, with the labels' values narrower than it allows: names of servers and words of ours. */
const grammar =
  /^(?:# HELP [a-z0-9_]+ [^\n]+|# TYPE [a-z0-9_]+ (?:counter|gauge|histogram)|[a-z0-9_]+(?:\{[a-z]+="[A-Za-z0-9_.,:/+-]*"(?:,[a-z]+="[A-Za-z0-9_.,:/+-]*")*\})? (?:[-+0-9.e]+|NaN))$/;

describe("gatewayMetrics()", () => {
  test("writes what Prometheus reads, whatever servers and hosts make up [operate.labels]", () => {
    fc.assert(
      fc.property(hostileEvents, (events) => {
        const { report, text } = metrics();
        for (const event of events) report(event);
        const written = text();
        expect(written).not.toContain(mark);
        for (const line of written.trimEnd().split("\n")) expect(line).toMatch(grammar);
      }),
      { numRuns: 60 },
    );
  });

  test("has no more series than there are words of ours, however much is made up [operate.labels]", () => {
    const { report, text } = metrics();
    const size = () => text().split("\n").length;
    const flood = (from: number, to: number) => {
      for (let n = from; n < to; n++) {
        const request = { server: files, principal: "p", began: 0, method: `made/${n}`, id: String(n) };
        report({ is: "request-began", request });
        report({ is: "request-ended", request, outcome: { is: "error", code: n } });
        const refused = { kind: "tool", name: `made-${n}`, code: `MADE_${n}`, review: `cs-${n}` } as const;
        report({ is: "wire", server: files, principal: "p", event: { is: "use-refused", ...refused } });
        report({
          is: "wire",
          server: files,
          principal: "p",
          event: { is: "ask-refused", method: `m${n}`, code: `C${n}`, because: [] },
        });
      }
    };
    flood(0, 10);
    const before = size();
    flood(10, 2_000);
    expect(size()).toBe(before);
    expect(samplesOf(text()).get('countersign_uses_refused_total{server="files",kind="tool",code="OTHER"}')).toBe(
      2_000,
    );
  });

  test("adds up a histogram, bucket by bucket [operate.metrics]", () => {
    const { report, text } = metrics();
    for (const seconds of [0.0005, 0.03, 2, 400]) {
      const request = {
        server: files,
        principal: "p",
        began: performance.now() - seconds * 1_000,
        method: "ping",
        id: "1",
      };
      report({ is: "request-began", request });
      report({ is: "request-ended", request, outcome: { is: "result" } });
    }
    const samples = samplesOf(text());
    const bucket = (le: string) =>
      samples.get(`countersign_request_duration_seconds_bucket{server="files",method="ping",le="${le}"}`);
    expect(["0.025", "0.05", "1", "2.5", "60", "+Inf"].map(bucket)).toEqual([1, 2, 2, 3, 3, 4]);
    expect(samples.get('countersign_request_duration_seconds_count{server="files",method="ping"}')).toBe(4);
    expect(samples.get('countersign_request_duration_seconds_sum{server="files",method="ping"}')).toBeCloseTo(402, 0);
  });

  test("goes up and down with what is open [operate.metrics]", () => {
    const { report, text } = metrics();
    const open = () =>
      ["requests", "sessions", "streams"].map((what) =>
        samplesOf(text()).get(`countersign_${what}_open{server="files"}`),
      );
    expect(open()).toEqual([0, 0, 0]);
    const request = { server: files, principal: "p", began: 0, method: "ping", id: "1" };
    report({ is: "request-began", request });
    report({ is: "session-opened", server: files, principal: "p" });
    report({ is: "stream-opened", server: files });
    expect(open()).toEqual([1, 1, 1]);
    report({ is: "request-ended", request, outcome: { is: "result" } });
    report({ is: "session-closed", server: files, principal: "p", by: "idle" });
    report({ is: "stream-closed", server: files });
    expect(open()).toEqual([0, 0, 0]);
  });
});
