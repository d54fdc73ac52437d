import type { Page, Ruling, Source } from "@countersign/core";
import { oneLine } from "./one-line.ts";
import { envelopeOf, type Judged, type ListResult, listResult, ownEnvelope, type ResultFrame } from "./serve.ts";

interface Served {
  readonly page: Page;
  readonly pages: number;
  readonly rulings: readonly Ruling[];
  readonly accepted: ReadonlySet<string>;
  readonly result: ListResult | undefined;
  /** Of `result`, when it was asked for a second time. */
  bytes: Buffer | undefined;
}

/** The list that was served last of each source, for as long as everything that it was made of is the same. */
export class ServedLists {
  readonly #last = new Map<Source, Served>();

  /** The answer that the host gets to a request for definitions: see `listResult`. */
  serve(frame: ResultFrame, pages: number, judged: Judged, accepted: ReadonlySet<string>): string | Uint8Array {
    const { page } = frame;
    const { offer, rulings } = judged;
    const last = this.#last.get(offer.source);
    if (last?.page === page && last.pages === pages && last.rulings === rulings && last.accepted === accepted) {
      if (last.result === undefined) return frame.bytes ?? frame.text;
      last.bytes ??= Buffer.from(oneLine(last.result.text));
      const [head, tail] = around(frame, last.result);
      return Buffer.concat([Buffer.from(oneLine(head)), last.bytes, Buffer.from(oneLine(tail))]);
    }
    const result = listResult(page, pages, judged, accepted);
    this.#last.set(offer.source, { page, pages, rulings, accepted, result, bytes: undefined });
    if (result === undefined) return frame.text;
    const [head, tail] = around(frame, result);
    return head + result.text + tail;
  }
}

function around(frame: ResultFrame, { keepsEnvelope }: ListResult): readonly [head: string, tail: string] {
  return keepsEnvelope ? envelopeOf(frame) : ownEnvelope(frame.id);
}
