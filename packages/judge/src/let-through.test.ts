import {
  asSent,
  asServerName,
  type Offer,
  type Pointer,
  planOf,
  type Reason,
  type Ruling,
  readJson,
  readOffer,
} from "@countersign/core";
import { describe, expect, test } from "vitest";
import { letThrough } from "./let-through.ts";

const text = '{"tools":[{"inputSchema":{"type":"object"},"name":"read"},{"name":1,"inputSchema":{"type":"object"}}]}';
const offer = offered();
const [definition] = offer.definitions;
if (definition === undefined) throw new RangeError(text);
const { address, received } = definition;

function offered(): Offer {
  const reading = readJson(text);
  const server = asServerName("files");
  if (reading.is === "refused" || server === undefined) throw new RangeError(text);
  const read = readOffer(server, "tools/list", [{ text, result: reading.json }]);
  if (read.is === "refused") throw new RangeError(text);
  return read.offer;
}

function withheld(...reasons: readonly Reason[]): Ruling {
  return { address, reasons, verdict: "quarantine", received };
}

describe("letThrough()", () => {
  test.each(["NO_BASELINE", "EXPIRED", "UNSTABLE"] as const)(
    "binds what is %s, as the server sent it, and keeps the reason [ease.observe]",
    (code) => {
      expect(letThrough(offer, [withheld({ gate: "baseline", code })], "OBSERVED", () => asSent)).toEqual([
        {
          address,
          reasons: [
            { gate: "baseline", code },
            { gate: "baseline", code: "OBSERVED" },
          ],
          verdict: "bind",
          received,
          rendering: { text: '{"inputSchema":{"type":"object"},"name":"read"}', digest: received },
        },
      ]);
    },
  );

  test("leaves to a plan what it keeps from the model, and leaves out what it does not fit", () => {
    const unapproved = withheld({ gate: "baseline", code: "NO_BASELINE" });
    const [stripped] = letThrough(offer, [unapproved], "OBSERVED", () => planOf("stripped", [], false));
    expect(stripped).toMatchObject({ rendering: { text: '{"inputSchema":{"type":"object"},"name":"read"}' } });
    const set = [{ at: "/description" as Pointer, to: "Ours." }];
    expect(letThrough(offer, [unapproved], "OBSERVED", () => planOf("as-sent", set, false))).toEqual([unapproved]);
  });

  test.each(["REJECTED", "REVOKED"] as const)("leaves out what is %s [ease.decided-against]", (code) => {
    const ruling = withheld({ gate: "baseline", code }, { gate: "baseline", code: "LAUNCH_CHANGED", drift: [] });
    expect(letThrough(offer, [ruling], "BYPASSED", () => asSent)).toEqual([ruling]);
  });

  test("leaves out what a gate broke on, and what is malformed [ease.decided-against]", () => {
    const broken: Ruling = {
      ...{ address, received, verdict: "refuse" },
      reasons: [{ gate: "schema", code: "GATE_FAILED", error: "too deep" }],
    };
    const malformed: Ruling = {
      ...{ address: { ...address, name: "" }, verdict: "refuse" },
      reasons: [{ gate: "schema", code: "MALFORMED", faults: [] }],
    };
    expect(letThrough(offer, [broken, malformed], "OBSERVED", () => asSent)).toEqual([broken, malformed]);
  });

  test("leaves what is bound as it is: the approved text is served", () => {
    const bound: Ruling = {
      ...{ address, received, reasons: [], verdict: "bind" },
      rendering: { text: '{"name":"read","inputSchema":{"type":"object"}}', digest: received },
    };
    expect(letThrough(offer, [bound], "OBSERVED", () => asSent)).toEqual([bound]);
  });
});
