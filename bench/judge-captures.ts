import { createHash } from "node:crypto";
import { emptySnapshot, readJson, readOffer } from "@countersign/core";
import { defaultPolicy, rule } from "@countersign/judge";
import { readCapturedOffers } from "../packages/gate/src/prove/captured-offers.ts";

/**
 * `judge-captures.ts <folder> <n>`: reads and judges every n-th captured list of tools, once, in a process that has judged
 * nothing before. Prints what it took, and what `JSON.parse` and SHA-256 take for the same bytes.
 */
export interface Judged {
  readonly every: number;
  readonly tools: number;
  readonly bytes: number;
  /** Milliseconds. */
  readonly judging: number;
  readonly parsingAndHashing: number;
}

const [folder = "", n = "1"] = process.argv.slice(2);
const lists = (await readCapturedOffers(folder)).filter(({ source }) => source === "tools/list");
const chosen = lists.filter((_, index) => index % Number(n) === 0);

const start = performance.now();
for (const { pages } of chosen) {
  for (const text of pages) {
    JSON.parse(text);
    createHash("sha256").update(text, "utf8").digest("hex");
  }
}
const parsed = performance.now();
let tools = 0;
for (const { server, source, pages } of chosen) {
  const results = pages.map((text) => {
    const reading = readJson(text);
    if (reading.is === "refused") throw new Error(`Cannot read the tools of ${server}: ${reading.refusal.code}`);
    return { text, result: reading.json };
  });
  const reading = readOffer(server, source, results);
  if (reading.is === "refused") throw new Error(`Cannot read the tools of ${server}: ${reading.because.code}`);
  tools += rule(reading.offer, emptySnapshot, defaultPolicy).length;
}
const judged: Judged = {
  every: Number(n),
  tools,
  bytes: chosen.flatMap(({ pages }) => pages).reduce((sum, text) => sum + Buffer.byteLength(text), 0),
  judging: performance.now() - parsed,
  parsingAndHashing: parsed - start,
};
process.stdout.write(`${JSON.stringify(judged)}\n`);
