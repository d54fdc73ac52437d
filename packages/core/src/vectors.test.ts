import { readdirSync, readFileSync } from "node:fs";
import reference from "canonicalize";
import { describe, expect, test } from "vitest";
import { type Address, asServerName, type Kind } from "./address.ts";
import { canonicalize } from "./canonical.ts";
import { asDigest, digestOf } from "./digest.ts";
import { driftOf } from "./drift.ts";
import { decodeUtf8, type Json, type JsonLimits, jsonLimits, readJson } from "./json.ts";
import { offerDigest, readOffer, type Source } from "./offer.ts";
import type { Plan } from "./plan.ts";
import { contractOf, type Misfit, render } from "./render.ts";
import { surfaceOf } from "./surface.ts";

const vectors = new URL("../../../vectors/", import.meta.url);

interface Case {
  readonly note: string;
}

/** Runs every case of every file in one folder of vectors/. */
function forEachCase<One extends Case>(folder: string, check: (one: One) => void): void {
  describe(`vectors/${folder}`, () => {
    for (const file of readdirSync(new URL(`${folder}/`, vectors)).filter((name) => name.endsWith(".json"))) {
      const { cases } = JSON.parse(readFileSync(new URL(`${folder}/${file}`, vectors), "utf8")) as {
        cases: readonly One[];
      };
      for (const one of cases) test(`${file}: ${one.note}`, () => check(one));
    }
  });
}

function read(text: string): Json {
  const reading = readJson(text);
  if (reading.is === "refused") throw new Error(`a vector is not JSON: ${reading.refusal.code}`);
  return reading.json;
}

function addressOf(kind: Kind): Address {
  const server = asServerName("files");
  if (server === undefined) throw new Error("no name of a server");
  return { server, kind, name: "a" };
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

interface SurfaceCase extends Case {
  readonly kind: Kind;
  readonly input: string;
  readonly carriers: readonly (readonly [part: string, at: string, role: string])[];
}

forEachCase<SurfaceCase>("surface", ({ kind, input, carriers }) => {
  const surface = surfaceOf(addressOf(kind), read(input));
  expect(surface.carriers.map(({ part, at, role }) => [part, at, role])).toEqual(carriers);
});

interface DriftCase extends Case {
  readonly kind: Kind;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly beforeText?: string;
  readonly afterText?: string;
  readonly expect: readonly { readonly at: string; readonly change: string }[];
}

forEachCase<DriftCase>("drift", (one) => {
  const before = read(one.beforeText ?? JSON.stringify(one.before));
  const after = read(one.afterText ?? JSON.stringify(one.after));
  expect(driftOf(one.kind, before, after).map(({ at, change }) => ({ at, change }))).toEqual(one.expect);
});

interface OfferCase extends Case {
  readonly source: Source;
  readonly pages: readonly string[];
  readonly expect:
    | { readonly refused: { readonly code: string; readonly page: number } }
    | {
        readonly definitions: readonly (readonly [kind: string, name: string, text: string])[];
        readonly malformed: readonly object[];
      };
}

forEachCase<OfferCase>("offer", ({ source, pages, expect: expected }) => {
  const { server } = addressOf("tool");
  const reading = readOffer(
    server,
    source,
    pages.map((text) => ({ text, result: read(text) })),
  );
  if ("refused" in expected) {
    expect(reading).toEqual({ is: "refused", because: expected.refused });
    return;
  }
  if (reading.is === "refused") throw new Error(`refused: ${reading.because.code}`);
  const { definitions, malformed } = reading.offer;
  expect(definitions.map(({ address, text }) => [address.kind, address.name, text])).toEqual(expected.definitions);
  expect(malformed).toEqual(expected.malformed);
  for (const { address, text, json, received } of definitions) {
    expect(address.server).toBe("files");
    expect(canonicalize(json)).toBe(canonicalize(read(text)));
    expect(received).toBe(digestOf(address.kind, read(text)));
  }
});

interface RenderCase extends Case {
  readonly kind: Kind;
  readonly definition: string;
  readonly plan: Plan;
  readonly rendered?: string;
  readonly contract?: string;
  readonly misfits?: readonly Misfit[];
}

forEachCase<RenderCase>("render", ({ kind, definition, plan, rendered, contract, misfits }) => {
  const received = digestOf(kind, read(definition));
  if (rendered === undefined || contract === undefined) {
    expect(render(kind, definition, received, plan)).toEqual({ is: "unfit", misfits });
    return;
  }
  expect(render(kind, definition, received, plan)).toEqual({
    is: "rendered",
    contract: digestOf(kind, read(contract)),
    rendering: { text: rendered, digest: digestOf(kind, read(rendered)) },
  });
  expect(canonicalize(contractOf(kind, definition, plan))).toBe(canonicalize(read(contract)));
});
