import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { StoredEvent } from "./recorded.ts";
import { sampleTool, serverNamed, sighting } from "./under-test/samples.ts";
import { verify } from "./verify.ts";

/** A first event as somebody else would write it, with the hash that README.md asks for. */
function forged(event: string): StoredEvent {
  const hash = createHash("sha256").update(`cs1:event\n[1,1000,"id-1",null,${event},[]]`).digest("hex");
  return { seq: "1", at: "1000", id: "id-1", previous: undefined, event, signatures: "[]", hash: `cs1:sha256:${hash}` };
}

describe("verify()", () => {
  const offer = `cs1:sha256:${createHash("sha256").update("cs1:offer\n[]").digest("hex")}`;
  const canonical = `{"definitions":[],"is":"sighted","malformed":[],"offer":"${offer}","server":"files","source":"tools/list"}`;

  test("finds nothing in an event that another program wrote by the format", () => {
    const row = forged(canonical);
    expect(verify([row], [])).toEqual({ entries: 1, texts: 0, head: row.hash, problems: [] });
  });

  test("finds an event that is rightly hashed but not in canonical form", () => {
    expect(verify([forged(canonical.replace(":", ": "))], []).problems).toEqual([{ code: "NOT_CANONICAL", entry: 1 }]);
  });

  test("finds an offer that is not the digest of its definitions", () => {
    const other = sighting(serverNamed("files"), [sampleTool("read")]).offer;
    expect(verify([forged(canonical.replace(offer, other))], []).problems).toEqual([{ code: "WRONG_OFFER", entry: 1 }]);
  });

  test("names one gap once", () => {
    const [first, second] = [forged(canonical), { ...forged(canonical), seq: "3" }];
    const later = { ...second, seq: "4", previous: second.hash };
    const problems = verify([first, { ...second, previous: first.hash }, later], []).problems;
    expect(problems.filter(({ code }) => code === "WRONG_SEQ")).toEqual([{ code: "WRONG_SEQ", entry: 2 }]);
    expect(problems.filter(({ code }) => code === "WRONG_PREVIOUS")).toEqual([]);
  });
});
