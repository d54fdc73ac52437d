import { join } from "node:path";
import type { Offer } from "@countersign/core";
import { readCapturedFile } from "../prove/captured-offers.ts";
import { readCapture } from "../prove/read-capture.ts";
import type { CheckedServer, Offered } from "./check-server.ts";

/** What was captured of a server, in a folder that has a file for it. A list that is not in there was not asked for. */
export async function lookAtCaptured(server: string, folder: string): Promise<Offered> {
  const offers: Offer[] = [];
  const failures: CheckedServer["failures"][number][] = [];
  for (const capture of await readCapturedFile(join(folder, `${server}.json`))) {
    const read = readCapture(capture);
    if ("offer" in read) offers.push(read.offer);
    else failures.push({ source: capture.source, code: read.code });
  }
  return { offers, failures, isAll: () => false };
}
