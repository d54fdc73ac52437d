import { asServerName, type ServerName } from "@countersign/core";
import fc from "fast-check";
import type { GatewayEvent, HostRequest, Outcome } from "../gateway-event.ts";

export function serverName(name: string): ServerName {
  const server = asServerName(name);
  if (server === undefined) throw new Error(`"${name}" is no name of a server`);
  return server;
}

/** What a server, or a host, may have made up. Each holds this, by which it is found again. */
export const mark = "evil";

const made = fc
  .oneof(fc.string({ unit: "binary" }), fc.constantFrom('"} 1\n', "\u001b[2J", "\\", "a\r\nb", "__proto__", "\u202e"))
  .map((text) => `${mark}${text}`);

const server = fc.constantFrom(serverName("files"), serverName("notes"));

const code = fc.oneof(made, fc.constantFrom("NO_BASELINE", "FINDING", "ARGUMENTS"));

const request: fc.Arbitrary<HostRequest> = fc.record({
  server,
  principal: fc.constant("key:ci"),
  began: fc.constant(0),
  method: fc.oneof(made, fc.constantFrom("tools/call", "initialize")),
  id: made,
  protocol: made,
  session: made,
});

const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  fc.constantFrom<Outcome>(
    { is: "result" },
    { is: "tool-error" },
    { is: "lost" },
    { is: "cancelled" },
    { is: "cut-off" },
  ),
  fc.record({ is: fc.constant<"error">("error"), code: fc.integer() }),
  fc.record({ is: fc.constant<"refused">("refused"), code: fc.integer() }),
);

const source = fc.constantFrom("tools/list" as const, "initialize" as const);

const wire = fc.oneof(
  fc.record({
    is: fc.constant("use-refused" as const),
    kind: fc.constant("tool" as const),
    name: made,
    code,
    review: made,
  }),
  fc.record({
    is: fc.constant("use-let-through" as const),
    kind: fc.constant("prompt" as const),
    ...{ name: made, code, review: made },
  }),
  fc.record({ is: fc.constant("method-refused" as const), from: fc.constantFrom("host", "server"), method: made }),
  fc.record({ is: fc.constant("ask-refused" as const), method: made, code, because: fc.constant([]) }),
  fc.record({ is: fc.constant("not-approved-yet" as const), method: made }),
  fc.record({ is: fc.constant("no-answer-yet" as const), method: made, seconds: fc.nat() }),
  fc.record({
    is: fc.constant("frame-refused" as const),
    from: fc.constantFrom("host", "server"),
    code: fc.constant("BATCH" as const),
    at: fc.nat(),
  }),
  fc.record({ is: fc.constant("list-failed" as const), source, code: fc.constant("NO_ANSWER" as const) }),
  fc.record({ is: fc.constant("withheld" as const), count: fc.nat() }),
);

/** All that can hold what a server or a host made up. */
export const hostileEvents: fc.Arbitrary<readonly GatewayEvent[]> = fc.array(
  fc.oneof(
    fc.record({ is: fc.constant("wire" as const), server, principal: fc.constant("key:ci"), event: wire }),
    request.map((one) => ({ is: "request-began" as const, request: one })),
    fc.record({ is: fc.constant("request-passed" as const), request, tool: made }),
    fc.record({ is: fc.constant("request-ended" as const), request, outcome }),
    fc.record({ is: fc.constant("upstream-failed" as const), server, code: fc.constant("REDIRECTED" as const) }),
    fc.record({
      is: fc.constant("ruled" as const),
      ...{ server, source, verdicts: fc.record({ bind: fc.nat(), quarantine: fc.nat(), refuse: fc.nat() }) },
    }),
  ),
  { maxLength: 60 },
);
