import { AssertionError } from "node:assert";
import { randomBytes } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { addressKey, type Offer } from "@countersign/core";
import { type Judgement, judgeOffer, readDefinitions } from "@countersign/judge";
import { shownName } from "../print/view.ts";
import { definitionsFile } from "./definitions-file.ts";
import { sayAgainst } from "./say-against.ts";
import { offerOf, type Subject, type SubjectOptions } from "./subject.ts";

/** How `expectNoDrift` goes about it. */
export interface DriftOptions extends SubjectOptions {
  /** Writes the file instead of comparing with it, unless it is empty, "0" or "false": `process.env.UPDATE`. */
  readonly update?: boolean | string | undefined;
}

/**
 * Asserts that what a server offers is what a file says: that no definition has changed by accident. Everybody who has
 * approved one is asked again when it changes. Neither the order of definitions, nor the spelling of the file, nor how the
 * server presents itself (`serverInfo`, `capabilities`) is drift.
 *
 * @param path of the file, which belongs in version control; made with `update`, never by itself
 * @throws AssertionError with every place that changed; with the texts of both files as `actual` and `expected`
 */
export async function expectNoDrift(subject: Subject, path: string, options: DriftOptions = {}): Promise<void> {
  const offer = compared(await offerOf(subject, options));
  const { malformed, server } = offer;
  if (malformed.length > 0) {
    const said = sayAgainst(offer, judgeOffer(offer, undefined)).slice(-malformed.length);
    throw new AssertionError({
      message: [
        `${malformed.length} definitions of ${server} are malformed, so nothing is written or compared:`,
        ...said,
      ].join("\n"),
    });
  }
  const actual = definitionsFile(offer);
  if (isAsked(options.update)) {
    await replace(resolve(path), actual);
    return;
  }
  const expected = await textAt(path);
  const approved = compared(readDefinitions(server, expected, "tool"));
  const judgement = judgeOffer(offer, approved, { policy: { trusted: true } });
  const lines = driftIn(offer, approved, judgement);
  if (lines.length === 0) return;
  throw new AssertionError({
    message: [
      `The definitions of ${server} are not those of "${path}":`,
      ...lines,
      "If that is meant, write the file again (the option update) and review it; whoever approved these is asked again.",
    ].join("\n"),
    ...{ actual, expected, operator: "expectNoDrift" },
  });
}

/** A new version says so in `serverInfo`, and that alone asks nobody anything. */
function compared(offer: Offer): Offer {
  return { ...offer, definitions: offer.definitions.filter(({ address }) => address.kind !== "server") };
}

function driftIn(offer: Offer, approved: Offer, judgement: Judgement): readonly string[] {
  const known = new Set(approved.definitions.map(({ address }) => addressKey(address)));
  const named = ({ kind, name }: { kind: string; name: string }) => `${kind} ${shownName(name, { text: true })}`;
  const drifted = judgement.against.filter(({ reason }) => reason.code === "DESCRIPTION_MUTATION");
  const added = offer.definitions.filter(({ address }) => !known.has(addressKey(address)));
  return [
    ...sayAgainst(offer, { ...judgement, rulings: judgement.rulings.map(onlyDrift), against: drifted }),
    ...added.map(({ address }) => `${named(address)}  new`),
    ...judgement.gone.map((address) => `${named(address)}  gone`),
  ];
}

function onlyDrift(ruling: Judgement["rulings"][number]): Judgement["rulings"][number] {
  return { ...ruling, reasons: ruling.reasons.filter(({ code }) => code === "DESCRIPTION_MUTATION") };
}

function isAsked(update: DriftOptions["update"]): boolean {
  return typeof update === "string" ? !["", "0", "false"].includes(update) : update === true;
}

async function textAt(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new AssertionError({
      message: `Cannot compare with "${path}": there is no such file; write it once with the option update, review it, and keep it in version control`,
    });
  }
}

/** As a whole or not at all. */
async function replace(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const unfinished = join(dirname(path), `.countersign-${randomBytes(8).toString("hex")}`);
  await writeFile(unfinished, text, { flag: "wx" });
  await rename(unfinished, path);
}
