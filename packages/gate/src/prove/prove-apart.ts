import { once } from "node:events";
import { availableParallelism } from "node:os";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { Capture } from "./capture.ts";
import type { PlantOptions } from "./plant.ts";
import { joinedPlants, type PlantReport } from "./plant-report.ts";
import type { ProveOptions } from "./prove.ts";
import { joined, type ProveReport } from "./report.ts";

/** What a worker is asked; it answers with the report of that arm. */
export type Errand =
  | { readonly arm: "move"; readonly offer: Capture; readonly options: Omit<ProveOptions, "subject"> }
  | { readonly arm: "plant"; readonly offer: Capture; readonly options: Omit<PlantOptions, "search"> };

/**
 * The same report as `prove` gives, made on every core. The subject is always the gates of `countersign run`.
 *
 * @throws what a worker throws
 */
export async function proveApart(
  offers: readonly Capture[],
  options: Omit<ProveOptions, "subject"> = {},
): Promise<ProveReport> {
  return joined(await apart(offers.map((offer) => ({ arm: "move", offer, options }))));
}

/** The same of `plant`. */
export async function plantApart(
  offers: readonly Capture[],
  options: Omit<PlantOptions, "search"> = {},
): Promise<PlantReport> {
  return joinedPlants(await apart(offers.map((offer) => ({ arm: "plant", offer, options }))));
}

async function apart<Report>(errands: readonly Errand[]): Promise<readonly Report[]> {
  // The largest first, so that none is left over for one worker at the end.
  const queue = [...errands.entries()].sort(([, a], [, b]) => sizeOf(b.offer) - sizeOf(a.offer));
  const reports = new Map<number, Report>();
  const work = async () => {
    const worker = new Worker(workerUrl, { resourceLimits: { maxYoungGenerationSizeMb } });
    try {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const [index, errand] = next;
        worker.postMessage(errand);
        const [report] = await once(worker, "message"); // rejects when the worker throws
        reports.set(index, report);
      }
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), errands.length) }, work));
  return errands.flatMap((_, index) => reports.get(index) ?? []);
}

/** Beside this module, as source and as built. */
const workerUrl = new URL(`./prove-worker${extname(import.meta.url)}`, import.meta.url);

/** Each mutation leaves the trees of a definition behind; with room for several of them, few are ever copied. */
const maxYoungGenerationSizeMb = 128;

function sizeOf({ pages }: Capture): number {
  return pages.reduce((size, page) => size + page.length, 0);
}
