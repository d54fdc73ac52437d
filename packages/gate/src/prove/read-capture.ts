import { type Offer, type Page, readJson, readOffer } from "@countersign/core";
import type { Capture } from "./capture.ts";

/** The offer that `countersign run` would read, or why it would read none. */
export function readCapture({ server, source, pages }: Capture): { offer: Offer } | { code: string } {
  const read: Page[] = [];
  for (const text of pages) {
    const reading = readJson(text);
    if (reading.is === "refused") return reading.refusal;
    read.push({ text, result: reading.json });
  }
  const reading = readOffer(server, source, read);
  return reading.is === "refused" ? reading.because : reading;
}
