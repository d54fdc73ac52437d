import { type Role, readJson, surfaceOf } from "@countersign/core";
import type { Capture } from "./capture.ts";
import { type Carrier, carriersOf, isObject } from "./carriers.ts";
import { keyOf } from "./complaint.ts";
import { dealPayloads } from "./payloads.ts";
import { joinedPlants, type PlantCount, type PlantCounts, type PlantReport, type Unlocated } from "./plant-report.ts";
import { type Planted, type Planting, plantIn, plantingOf } from "./planting.ts";
import { pick, seededRandom } from "./random.ts";
import { readCapture } from "./read-capture.ts";
import type { Row, Withheld } from "./report.ts";
import { type Searched, type Searcher, type Sighting, searchByGates } from "./search.ts";
import { dissect, type Target } from "./targets.ts";

/** How `plant` goes about it. */
export interface PlantOptions {
  /** What is put to the proof; by default the description gate of `countersign run`. */
  readonly search?: Searcher;
  /** Another seed deals the payloads out differently. */
  readonly seed?: number;
  /** Every payload in every carrier, instead of one. */
  readonly all?: boolean;
}

/**
 * The second arm. Plant a payload in every carrier of every definition, its offer around it held still: the description
 * gate must ask about it or refuse it, in that carrier and at that text.
 */
export function plant(offers: readonly Capture[], options: PlantOptions = {}): PlantReport {
  return joinedPlants(offers.map((offer) => plantOffer(offer, options)));
}

/** Needs nothing of another offer, so that offers may be proved in any order and apart. */
export function plantOffer(
  offer: Capture,
  { search = searchByGates, seed = 1, all = false }: PlantOptions = {},
): PlantReport {
  const tally = newTally();
  const { server, source } = offer;
  const reading = readCapture(offer);
  if ("code" in reading) {
    tally.withheld.push({ server, source, kind: "server", name: source, codes: [reading.code] });
    return reportOf(tally);
  }
  for (const { kind, name = "" } of reading.offer.malformed) {
    tally.withheld.push({ server, source, kind, name, codes: ["MALFORMED"] });
  }
  const random = seededRandom(`${seed} plant ${server} ${source}`);
  const proof = { offer, look: search(offer), random, deal: dealPayloads(random), all, tally };
  const malformed = new Set(reading.offer.malformed.map(({ kind, name = "" }) => keyOf({ kind, name })));
  for (const target of dissect(offer, () => true).targets) {
    if (!malformed.has(keyOf(target))) plantTarget(target, proof);
  }
  return reportOf(tally);
}

interface Tally {
  definitions: number;
  carriers: number;
  planted: number;
  located: number;
  refused: number;
  alone: number;
  readonly missed: Unlocated[];
  readonly withheld: Withheld[];
  readonly counts: Readonly<Record<keyof PlantCounts, Map<string, { -readonly [K in keyof PlantCount]: number }>>>;
}

interface Proof {
  readonly offer: Capture;
  readonly look: ReturnType<Searcher>;
  readonly random: () => number;
  readonly deal: ReturnType<typeof dealPayloads>;
  readonly all: boolean;
  readonly tally: Tally;
}

interface Bed {
  readonly target: Target;
  readonly row: Row;
  readonly roleOf: (carrier: Carrier) => Role;
  readonly look: (text: string) => Searched;
  readonly proof: Proof;
}

/**
 * Carriers that are planted in one copy of a definition. A gate names only so many findings of a rule in one definition
 * (`most` in judge/src/inspect.ts), so in a copy with more payloads of one family some would not be named.
 */
const together = 150;

function plantTarget(target: Target, proof: Proof): void {
  const { offer, random, deal, all, tally } = proof;
  const { server, source } = offer;
  const { kind, name } = target;
  const look = (text: string): Searched => {
    const key = target.keyIn(text);
    if (key === undefined) return { is: "refused", code: "LOST" };
    return proof.look({ pages: target.alone(text), key, was: keyOf(target) });
  };
  const bed: Bed = { target, row: { server, source, kind, name }, roleOf: rolesIn(target, server), look, proof };
  const carriers = carriersOf(target.value, target.spot);
  tally.definitions++;
  tally.carriers += carriers.length;

  const dealt = carriers.map((carrier) => deal(`${carrier.part} ${bed.roleOf(carrier)}`));
  const rounds = all ? Math.max(...dealt.map(({ length }) => length)) : 1;
  for (let round = 0; round < rounds; round++) {
    const plantings = carriers.map((carrier, index) => {
      const payload = dealt[index]?.[round];
      if (payload === undefined) throw new RangeError("a carrier got no payload");
      const planting = plantingOf(carrier, payload, random);
      return isNameless(target, planting) ? putBeside(planting) : planting;
    });
    // Under a key of another name, nothing is where rules expect it.
    const keys = plantings.filter(({ carrier }) => carrier.part === "key");
    const leaves = plantings.filter(({ carrier }) => carrier.part === "leaf");
    for (const some of [keys.map(withoutRenamingOthers), leaves]) {
      for (let from = 0; from < some.length; from += together) plantTogether(some.slice(from, from + together), bed);
    }
    plantAlone(pick(plantings, random), bed);
  }
}

/** Whether nothing could be told of the definition any more: its name has gone. */
function isNameless(target: Target, planting: Planting): boolean {
  const { part, holder } = planting.carrier;
  if (part === "leaf" || holder?.at !== "") return false;
  return target.keyIn(plantIn(target.text, [planting]).text) === undefined;
}

/** In one copy, as far as it has a proper shape with all of them. */
function plantTogether(plantings: readonly Planting[], bed: Bed): void {
  const alone = plantings.length === 1;
  for (const outcome of grow(plantings, bed)) {
    count(outcome, bed);
    if (outcome.is === "missed") bed.proof.tally.missed.push(missedRow(outcome, alone, bed));
  }
}

function plantAlone(planting: Planting, bed: Bed): void {
  bed.proof.tally.alone++;
  plantTogether([planting], bed);
}

type Outcome = { readonly planted: Planted } & (
  | { readonly is: "located" | "refused" }
  | { readonly is: "missed"; readonly because: Exclude<Searched, { is: "malformed" }> | MalformedElsewhere }
);

interface MalformedElsewhere {
  readonly is: "malformed";
  readonly places: readonly string[];
}

/**
 * What became of each planting. A definition is malformed with a text where the protocol has none: that place is left out,
 * refused by its name, and the others are looked at without it. A key that must be there is not renamed.
 */
function grow(plantings: readonly Planting[], { target, look }: Bed): readonly Outcome[] {
  const outcomes: Outcome[] = [];
  let rest = plantings;
  while (rest.length > 0) {
    const { text, planted } = plantIn(target.text, rest);
    const searched = look(text);
    if (searched.is === "judged") {
      const sightings = Map.groupBy(searched.sightings, ({ part, at }) => `${part} ${at}`);
      return [
        ...outcomes,
        ...planted.map((one): Outcome => {
          const there = sightings.get(`${one.part} ${one.at}`) ?? [];
          return there.some((sighting) => locates(sighting, one))
            ? { is: "located", planted: one }
            : { is: "missed", planted: one, because: searched };
        }),
      ];
    }
    const places = new Set<string>(searched.is === "malformed" ? searched.places : []);
    const wrong = planted.filter(({ at, was }) => places.has(at) || places.has(was));
    if (wrong.length === 0) {
      return [...outcomes, ...planted.map((one): Outcome => ({ is: "missed", planted: one, because: searched }))];
    }
    const spared = new Set(wrong.filter(({ carrier, beside }) => carrier.part === "key" && !beside));
    for (const one of wrong) if (!spared.has(one)) outcomes.push({ is: "refused", planted: one });
    const gone = new Set(wrong.map(({ carrier }) => carrier));
    rest = [...planted.filter(({ carrier }) => !gone.has(carrier)), ...[...spared].map(putBeside)];
  }
  return outcomes;
}

function locates({ effect, span }: Sighting, { span: payload }: Planted): boolean {
  return effect !== "note" && span !== undefined && span.start < payload.end && payload.start < span.end;
}

function count({ is, planted }: Outcome, { row, roleOf, proof: { tally } }: Bed): void {
  tally.planted++;
  if (is !== "missed") tally[is]++;
  const { carrier, payload, way } = planted;
  const of = { kind: row.kind, role: roleOf(carrier), family: payload.family, way };
  for (const by of ["kind", "role", "family", "way"] as const) {
    const counts = tally.counts[by].get(of[by]) ?? { planted: 0, located: 0, refused: 0 };
    tally.counts[by].set(of[by], counts);
    counts.planted++;
    if (is !== "missed") counts[is]++;
  }
}

function missedRow({ planted, because }: Extract<Outcome, { is: "missed" }>, alone: boolean, bed: Bed): Unlocated {
  const { carrier, payload, way, says, span } = planted;
  const place = { pointer: carrier.at, part: carrier.part, role: bed.roleOf(carrier), family: payload.family, way };
  const row = { ...bed.row, ...place, says: says.slice(Math.max(0, span.start - 60), span.end + 60), alone };
  if (because.is === "refused") return { ...row, happened: "NOT_JUDGED", detail: [because.code] };
  if (because.is === "malformed") return { ...row, happened: "NOT_JUDGED", detail: because.places };
  if (alone) return { ...row, happened: "UNSEEN", detail: said(because.sightings, bed) };
  const [again] = grow([planted], bed);
  return again?.is === "missed" && again.because.is === "judged"
    ? { ...row, happened: "UNSEEN", detail: said(again.because.sightings, bed) }
    : { ...row, happened: "UNSEEN_IN_COMPANY", detail: [] };
}

/** What is said of a copy, and is not said of the definition as it was. */
function said(sightings: readonly Sighting[], { target, look }: Bed): readonly string[] {
  const before = look(target.text);
  const known = new Set(before.is === "judged" ? before.sightings.map(wordsOf) : []);
  return sightings.map(wordsOf).filter((one) => !known.has(one));
}

function wordsOf({ rule, effect, part, at }: Sighting): string {
  return `${rule} (${effect}) at ${part} ${at}`;
}

/** The roles that the carriers have before anything is planted. */
function rolesIn({ kind, name, value }: Target, server: Row["server"]): (carrier: Carrier) => Role {
  const reading = readJson(JSON.stringify(value));
  if (reading.is === "refused") throw new Error(`a definition is no JSON: ${reading.refusal.code}`);
  const { carriers } = surfaceOf({ server, kind, name }, reading.json);
  const roles = new Map(carriers.map(({ part, at, role }) => [`${part} ${at}`, role]));
  return ({ part, at }) => {
    const role = roles.get(`${part} ${at}`);
    if (role === undefined) throw new Error("the proof sees a carrier that is not on the surface");
    return role;
  };
}

function newTally(): Tally {
  return {
    ...{ definitions: 0, carriers: 0, planted: 0, located: 0, refused: 0, alone: 0, missed: [], withheld: [] },
    counts: { kind: new Map(), role: new Map(), family: new Map(), way: new Map() },
  };
}

function reportOf({ counts, ...tally }: Tally): PlantReport {
  const { kind, role, family, way } = counts;
  const plain = (of: ReadonlyMap<string, PlantCount>) => Object.fromEntries(of);
  return { ...tally, counts: { kind: plain(kind), role: plain(role), family: plain(family), way: plain(way) } };
}

function putBeside(planting: Planting): Planting {
  return { ...planting, beside: true };
}

function withoutRenamingOthers(planting: Planting): Planting {
  return holdsKeys(planting.carrier.value) ? putBeside(planting) : planting;
}

function holdsKeys(value: unknown): boolean {
  return Array.isArray(value) ? value.some(holdsKeys) : isObject(value) && Object.keys(value).length > 0;
}
