import { describe, expect, test } from "vitest";
import { readStored, type StoredEvent, storedEvent } from "./recorded.ts";
import { sampleTool, serverNamed, withdrawal } from "./under-test/samples.ts";

/** `received` is that of `printf 'cs1:tool\n{"description":"","inputSchema":{"type":"object"},"name":"read"}' | sha256sum`. */
const event =
  '{"by":"ada","definitions":[{"kind":"tool","name":"read",' +
  '"received":"cs1:sha256:67c98fe2c6145e4560f24386be3b92c251a2f1aded2937cb03eceea0bccad463"}],' +
  '"is":"rejected","server":"files"}';

/** Of `printf 'cs1:event\n[1,1000,"id-1",null,%s,[]]' '<event>' | sha256sum`. */
const first = "cs1:sha256:ed9b30e49450eefc23d20403b961250df81e95782ab50508e81f27e08e94e4d6";

/** Of `printf 'cs1:event\n[2,2000,"id-2","<first>",%s,[]]' '<event>' | sha256sum`. */
const second = "cs1:sha256:eb1bf91cdce96209716dc7f457a633827986456ad15be498cee010e68a6f8f5b";

const written = withdrawal("rejected", serverNamed("files"), [sampleTool("read")]);

describe("storedEvent()", () => {
  test("hashes exactly what README.md says", () => {
    const one = storedEvent(written, { seq: 1, at: 1_000, id: "id-1", previous: undefined });
    expect(one).toEqual({
      seq: "1",
      at: "1000",
      id: "id-1",
      previous: undefined,
      event,
      signatures: "[]",
      hash: first,
    });
    const two = storedEvent(written, { seq: 2, at: 2_000, id: "id-2", previous: first as never });
    expect(two).toEqual({ seq: "2", at: "2000", id: "id-2", previous: first, event, signatures: "[]", hash: second });
  });
});

describe("readStored()", () => {
  const row: StoredEvent = {
    seq: "1",
    at: "1000",
    id: "id-1",
    previous: undefined,
    event,
    signatures: "[]",
    hash: first,
  };

  test("reads back what storedEvent() wrote", () => {
    expect(readStored(row)).toEqual({
      is: "recorded",
      recorded: { seq: 1, at: 1_000, id: "id-1", event: written, signatures: [], previous: undefined, hash: first },
    });
  });

  test("names everything that is wrong with a row at once", () => {
    const wrong = { seq: "01", at: "-1", id: "", previous: "", event: "{}", signatures: "[1]", hash: "cs1:sha256:00" };
    expect(readStored(wrong)).toEqual({
      is: "refused",
      because: {
        code: "UNREADABLE_EVENT",
        problems: [
          "seq: not a whole number",
          "at: not a whole number",
          "id: not an id",
          "previous: not a digest",
          "hash: not a digest",
          "signatures: not an empty list",
          "event.is: not one of sighted, approved, rejected, revoked, bypassed, enforced, key-added, key-revoked",
        ],
      },
    });
  });

  test("refuses a number that a double would round", () => {
    expect(readStored({ ...row, at: "9007199254740993" })).toEqual({
      is: "refused",
      because: { code: "UNREADABLE_EVENT", problems: ["at: not a whole number"] },
    });
  });

  test("refuses a key that stands twice, whatever the hash says", () => {
    expect(readStored({ ...row, event: event.replace("{", '{"by":"eve",') })).toEqual({
      is: "refused",
      because: { code: "UNREADABLE_EVENT", problems: ["event: DUPLICATE_KEY at offset 12"] },
    });
  });
});
