import type { Kind, Prose } from "@countersign/core";
import type { Capture } from "./capture.ts";
import { carriersOf, same } from "./carriers.ts";
import { type Bound, boundIn, complaintOfChange, complaintOfSpelling, complaintOfUnread, keyOf } from "./complaint.ts";
import { modelView } from "./model-view.ts";
import { mutate } from "./mutations.ts";
import { pipelineUnder } from "./pipeline.ts";
import { pick, seededRandom } from "./random.ts";
import { type FalseDrift, joined, type Missed, type ProveReport, type Row, type Withheld } from "./report.ts";
import { respell, spellings } from "./respell.ts";
import type { Seen, Subject } from "./subject.ts";
import { dissect, oddities, type Target } from "./targets.ts";
import { dealTurns, type Turns } from "./turns.ts";

/** How `prove` goes about it. */
export interface ProveOptions {
  /** What is put to the proof; by default the gates of `countersign run`. */
  readonly subject?: Subject;
  /** Another seed changes other letters, and deals the mutations out differently. */
  readonly seed?: number;
  /** The plan that everything is approved under; by default the model reads what is sent. */
  readonly prose?: Prose;
  /** Every mutation that applies to a carrier, instead of one. */
  readonly all?: boolean;
}

/**
 * The control arms. Hold a definition still and move one thing of it, whichever: it must be refused at that place, and
 * all around it stay bound. Where its plan keeps the place from the model, it must stay bound instead, and be served as it
 * was. Spell it anew and move nothing: it must stay bound.
 */
export function prove(offers: readonly Capture[], options: ProveOptions = {}): ProveReport {
  return joined(offers.map((offer) => proveOffer(offer, options)));
}

/** Needs nothing of another offer, so that offers may be proved in any order and apart. */
export function proveOffer(
  offer: Capture,
  { prose = "as-sent", subject = pipelineUnder(prose), seed = 1, all = false }: ProveOptions = {},
): ProveReport {
  const tally: Tally = {
    definitions: 0,
    carriers: 0,
    mutations: 0,
    caught: 0,
    unread: 0,
    missed: [],
    respellings: 0,
    falseDrift: [],
    withheld: [],
    spread: new Map(),
    complete: 0,
  };
  const random = seededRandom(`${seed} ${offer.server} ${offer.source}`);
  dissectAndMove(offer, { look: subject(offer), random, turns: dealTurns(random), all, prose, tally });
  return { ...tally, spread: Object.fromEntries(tally.spread) };
}

interface Tally {
  definitions: number;
  carriers: number;
  mutations: number;
  caught: number;
  unread: number;
  respellings: number;
  complete: number;
  readonly missed: Missed[];
  readonly falseDrift: FalseDrift[];
  readonly withheld: Withheld[];
  readonly spread: Map<string, number>;
}

interface Proof {
  readonly look: (seen: Capture) => Seen;
  readonly random: () => number;
  readonly turns: Turns;
  readonly all: boolean;
  readonly prose: Prose;
  readonly tally: Tally;
}

function dissectAndMove(offer: Capture, proof: Proof): void {
  const { look, random, tally } = proof;
  const { server, source } = offer;
  const rowOf = ({ kind, name }: { kind: Kind; name: string }) => ({ server, source, kind, name });
  const see = (pages: readonly string[]) => look({ ...offer, pages });

  const unchanged = see(offer.pages);
  if (unchanged.is === "refused") {
    tally.withheld.push({ ...rowOf({ kind: "server", name: source }), codes: [unchanged.code] });
    return;
  }
  for (const one of unchanged.definitions) {
    if (!one.bound) tally.withheld.push({ ...rowOf(one), codes: one.codes });
  }
  const complete = boundIn(unchanged);
  const { targets, frame } = dissect(offer, (kind, name) => complete.has(keyOf({ kind, name })));
  const sample = new Set([1, 2, 3].map(() => Math.floor(random() * targets.length)));

  for (const [index, target] of targets.entries()) {
    const row = rowOf(target);
    const key = keyOf(target);
    const served = complete.get(key);
    if (served === undefined) {
      const known = unchanged.definitions.some((one) => keyOf(one) === key);
      if (!known) tally.withheld.push({ ...row, codes: [] });
      continue;
    }
    tally.definitions++;
    const control = see(target.alone(target.text));
    const arm: Arm = { target, row, see, complete, alone: boundIn(control) };
    // The arm that nothing is done to: what follows says nothing unless this one is bound, and served as approved.
    if (!isServedAs(served, target, proof)) {
      tally.falseDrift.push({ ...row, spelling: "as-sent", happened: "SERVED_OTHERWISE", detail: [target.name] });
    }
    const complaint = complaintOfSpelling(control, key, new Map([...arm.alone, [key, served]]));
    if (complaint !== undefined) tally.falseDrift.push({ ...row, spelling: "as-sent", ...complaint });
    moveCarriers(arm, sample.has(index), proof);
    spellAnew(arm, proof);
  }
  const beside = targets.find(({ kind }) => kind === "server");
  moveFields({ row: rowOf({ kind: "server", name: source }), frame, see, target: beside }, proof);
}

/** Frozen text is served as it was approved, which is as it was sent then. */
function isServedAs(served: string, { kind, value }: Target, { prose }: Proof): boolean {
  const now: unknown = JSON.parse(served);
  if (prose !== "stripped") return same(now, value);
  return kind === "instructions" ? now === "" : same(now, modelView(kind, value, prose));
}

interface Arm {
  readonly target: Target;
  readonly row: Row;
  readonly see: (pages: readonly string[]) => Seen;
  /** What is bound while nothing moves: in the complete list, and with one other definition. */
  readonly complete: Bound;
  readonly alone: Bound;
}

function moveCarriers({ target, row, see, complete, alone }: Arm, inSample: boolean, proof: Proof): void {
  const { random, turns, all, prose, tally } = proof;
  const read = modelView(target.kind, target.value, prose);
  const carriers = carriersOf(target.value, target.spot);
  const sampled = inSample ? pick(carriers, random) : undefined;
  for (const carrier of carriers) {
    tally.carriers++;
    let moved = false;
    for (const mutation of turns.next(carrier)) {
      const mutant = mutate(target.text, carrier, mutation, random);
      if (mutant === undefined) continue;
      turns.took(carrier, mutation);
      moved = true;
      const change = {
        key: keyOf(target),
        places: mutant.places,
        now: () => target.keyIn(mutant.text),
        refusesFrame: mutation.refusesFrame === true,
      };
      const seen = see(carrier === sampled ? target.complete(mutant.text) : target.alone(mutant.text));
      const before = carrier === sampled ? complete : alone;
      // A page that is no JSON any more, or holds a key twice, has no value to look into.
      const unread =
        prose !== "as-sent" &&
        mutation.refusesFrame !== true &&
        same(read, modelView(target.kind, target.valueIn(mutant.text), prose));
      if (unread) tally.unread++;
      const complaint = unread ? complaintOfUnread(seen, change.key, before) : complaintOfChange(seen, change, before);
      if (carrier === sampled) tally.complete++;
      const place = { pointer: carrier.at, part: carrier.part, mutation: mutation.name };
      count(tally, mutation.name, complaint && { ...row, ...place, ...complaint });
      if (!all) break;
    }
    if (!moved) throw new Error("a carrier has been found to which no mutation applies");
  }
}

/** What stands beside the definitions is none, as long as it is what the protocol puts there. */
function moveFields(
  { row, frame, see, target }: Pick<Arm, "row" | "see"> & { frame: string; target: Target | undefined },
  { prose, tally }: Proof,
): void {
  const before = boundIn(see([frame]));
  for (const { mutation, text, at } of oddities(row.source, frame)) {
    const key = keyOf(row);
    const change = { key, places: [at], now: () => key, refusesFrame: mutation === "twin-field" };
    const unread = target !== undefined && mutation === "odd-field" && isUnread(target, text, prose);
    if (unread) tally.unread++;
    const complaint = unread
      ? complaintOfUnread(see([text]), key, before)
      : complaintOfChange(see([text]), change, before);
    count(tally, mutation, complaint && { ...row, pointer: at, part: "key", mutation, ...complaint });
  }
}

/** Whether a model reads the same of what stands beside a list as before. */
function isUnread(target: Target, text: string, prose: Prose): boolean {
  if (prose === "as-sent" || target.kind !== "server") return false;
  return same(modelView("server", target.value, prose), modelView("server", target.valueIn(text), prose));
}

function count(tally: Tally, mutation: string, missed: Missed | undefined): void {
  tally.mutations++;
  tally.spread.set(mutation, (tally.spread.get(mutation) ?? 0) + 1);
  if (missed === undefined) tally.caught++;
  else tally.missed.push(missed);
}

function spellAnew({ target, row, see, alone }: Arm, { random, tally }: Proof): void {
  const { text, whole } = target;
  for (const spelling of spellings) {
    const respelled = text.slice(0, whole.start) + respell(text, whole, spelling, random) + text.slice(whole.end);
    if (respelled === text) continue; // no number in it, or nothing to put in another order
    tally.respellings++;
    const complaint = complaintOfSpelling(see(target.alone(respelled)), keyOf(target), alone);
    if (complaint !== undefined) tally.falseDrift.push({ ...row, spelling: spelling.name, ...complaint });
  }
}
