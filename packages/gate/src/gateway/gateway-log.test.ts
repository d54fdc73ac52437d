import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { gatewayLog } from "./gateway-log.ts";
import type { LogFormat } from "./gateway-settings.ts";
import { hostileEvents, mark, serverName } from "./under-test/hostile-events.ts";

const files = serverName("files");

function logged(format: LogFormat, debug: boolean, now = () => 0) {
  const lines: string[] = [];
  return { lines, ...gatewayLog({ format, debug, write: (line) => lines.push(line), now }) };
}

const refused = {
  is: "wire",
  server: files,
  principal: "key:ci",
  event: { is: "use-refused", kind: "tool", name: "send", code: "NOT_OFFERED", review: "cs-0123456789ab" },
} as const;

describe("gatewayLog()", () => {
  test("writes JSON, or the same in words [operate.log]", () => {
    const json = logged("json", false);
    json.report(refused);
    expect(JSON.parse(json.lines[0] ?? "")).toEqual({
      ...{
        time: "1970-01-01T00:00:00.000Z",
        level: "warn",
        event: "use-refused",
        server: "files",
        principal: "key:ci",
      },
      ...{ kind: "tool", code: "NOT_OFFERED", review: "cs-0123456789ab" },
    });
    const text = logged("text", true);
    text.report({ ...refused, event: { ...refused.event, name: "a tool\n" } });
    expect(text.lines).toEqual([
      '1970-01-01T00:00:00.000Z warn  use-refused server=files principal=key:ci kind=tool code=NOT_OFFERED review=cs-0123456789ab name="a tool⟦U+000A⟧"',
    ]);
  });

  test("is one line for each event, and holds what servers wrote for who asked for it only [operate.log]", () => {
    fc.assert(
      fc.property(hostileEvents, fc.constantFrom<LogFormat>("json", "text"), fc.boolean(), (events, format, debug) => {
        const log = logged(format, debug);
        for (const event of events) log.report(event);
        log.stderr("files", `${mark} line`);
        for (const line of log.lines) {
          expect(line).not.toMatch(/[\p{Cc}\u2028\u2029\u202e]/u);
          if (format === "json") expect(JSON.parse(line)).toMatchObject({ level: /^(?:debug|info|warn|error)$/ });
          // Codes and reviews are ours; here they are made up as well.
          if (!debug) expect(line.replace(/(?:code|review)"?[:=](?:"(?:[^"\\]|\\.)*"|\S+)/g, "")).not.toContain(mark);
        }
        if (!debug) expect(log.lines.join("\n")).not.toContain("server-stderr");
      }),
      { numRuns: 60 },
    );
  });

  test("says the same at the 1st, 10th, 100th time, and anew after an hour [operate.log]", () => {
    let now = 0;
    const log = logged("json", false, () => now);
    for (let n = 0; n < 250; n++) log.report(refused);
    expect(log.lines.map((line) => (JSON.parse(line) as { times?: number }).times)).toEqual([undefined, 10, 100]);
    now = 3_600_001;
    log.report(refused);
    expect(log.lines).toHaveLength(4);
  });

  test("cannot be filled by what a server makes up [operate.log]", () => {
    const log = logged("json", false);
    for (let n = 0; n < 20_000; n++) {
      log.report({
        is: "wire",
        server: files,
        principal: `p${n}`,
        event: { is: "method-refused", from: "server", method: `m${n}` },
      });
    }
    expect(log.lines.length).toBeLessThanOrEqual(1_000);
  });
});
