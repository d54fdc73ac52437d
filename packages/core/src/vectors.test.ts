import { readdirSync, readFileSync } from "node:fs";
import reference from "canonicalize";
import { describe, expect, test } from "vitest";
import type { Kind } from "./address.ts";
import { canonicalize } from "./canonical.ts";
import { asDigest, digestOf } from "./digest.ts";
import { decodeUtf8, type Json, type JsonLimits, jsonLimits, readJson } from "./json.ts";
import { offerDigest } from "./offer.ts";

const vectors = new URL("../../../vectors/", import.meta.url);

interface Case {
  readonly note: string;
}

/** Runs every case of every file in one folder of vectors/. */
function forEachCase<One extends Case>(folder: string, check: (one: One) => void): void {
  describe(`vectors/${folder}`, () => {
    for (const file of readdirSync(new URL(`${folder}/`, vectors)).filter((name) => name.endsWith(".json"))) {
      const { cases } = JSON.parse(readFileSync(new URL(`${folder}/${file}`, vectors), "utf8")) as { cases: readonly One[] };
      for (const one of cases) test(`${file}: ${one.note}`, () => check(one));
    }
  });
}

function read(text: string): Json {
  const reading = readJson(text);
  if (reading.is === "refused") throw new Error(`a vector is not JSON: ${reading.refusal.code}`);
  return reading.json;
}

interface JsonCase extends Case {
  readonly input?: string;
  readonly inputBase64?: string;
  readonly limits?: Partial<JsonLimits>;
  readonly expect: { readonly error: string; readonly at?: number } | { readonly json: object };
}

forEachCase<JsonCase>("json", (one) => {
  const text = one.inputBase64 === undefined ? one.input : decodeUtf8(Buffer.from(one.inputBase64, "base64"));
  const reading = text === undefined ? undefined : readJson(text, { ...jsonLimits, ...one.limits });
  if ("json" in one.expect) {
    expect(reading).toMatchObject({ is: "json", json: one.expect.json });
  } else {
    const refusal = reading === undefined ? { code: "BAD_UTF8" } : reading.is === "refused" ? reading.refusal : reading;
    const { error, at } = one.expect;
    expect(refusal).toEqual(at === undefined ? { code: error } : { code: error, at });
  }
});

interface CanonicalCase extends Case {
  readonly inputs: readonly string[];
  readonly canonical: string;
  /** RFC 8785's own form, where it is another one; null where there is none. */
  readonly rfc8785?: string | null;
  /** The bits of the double that the number is. */
  readonly ieee754?: string;
}

forEachCase<CanonicalCase>("canonical", (one) => {
  for (const input of one.inputs) {
    expect(canonicalize(read(input))).toBe(one.canonical);
    const ofReference = () => reference(JSON.parse(input));
    if (one.rfc8785 === null) expect(ofReference).toThrow();
    else expect(ofReference()).toBe(one.rfc8785 ?? one.canonical);
    if (one.ieee754 !== undefined) {
      expect(Number(input) === Buffer.from(one.ieee754, "hex").readDoubleBE()).toBe(true);
    }
  }
  expect(canonicalize(read(one.canonical))).toBe(one.canonical);
});

type DigestCase = Case &
  (
    | { readonly kind: Kind; readonly input: string; readonly canonical: string; readonly digest: string }
    | { readonly rows: readonly (readonly [kind: Kind, name: string, received: string])[]; readonly digest: string }
  );

forEachCase<DigestCase>("digest", (one) => {
  if ("rows" in one) {
    const definitions = one.rows.map(([kind, name, text]) => {
      const received = asDigest(text);
      if (received === undefined) throw new Error("a vector holds no digest");
      return { address: { kind, name }, received };
    });
    expect(offerDigest(definitions)).toBe(one.digest);
  } else {
    expect(canonicalize(read(one.input))).toBe(one.canonical);
    expect(digestOf(one.kind, read(one.input))).toBe(one.digest);
  }
});
