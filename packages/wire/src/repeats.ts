import type { Offer, Page, Source } from "@countersign/core";
import { oneLine } from "./one-line.ts";
import type { ResultFrame } from "./serve.ts";

/** An answer that was read, without its id: the bytes and the text before it, and behind it. */
interface Known {
  readonly head: Buffer;
  readonly tail: Buffer;
  readonly before: string;
  readonly behind: string;
  readonly page: Page;
  readonly onOneLine: boolean;
}

/**
 * The answers that the lists of one connection were read from last. Maps bytes to what is in them, and to nothing that
 * anybody decided.
 */
export class Repeats {
  readonly #known = new Map<Source, { readonly pages: readonly Known[]; readonly offer: Offer }>();

  remember(source: Source, frames: readonly ResultFrame[], offer: Offer): void {
    const pages = frames.map(({ text, id, page }): Known => {
      const [before, behind] = [text.slice(0, id.start), text.slice(id.start + id.text.length)];
      const onOneLine = oneLine(text) === text;
      return { head: Buffer.from(before), tail: Buffer.from(behind), before, behind, page, onOneLine };
    });
    this.#known.set(source, { pages, offer });
  }

  /**
   * The frame that `readFrame` would read from these bytes, where they differ from a known answer in nothing but the id.
   *
   * INVARIANT: of a known answer it was parsed that a whole value stands between head and tail, and that it is the id. So
   * with any other whole value there, of the kinds that an id may be, the same message is parsed. An id that has to be
   * unescaped or written anew to be compared is left to the parser.
   */
  read(bytes: Uint8Array): ResultFrame | undefined {
    for (const { pages } of this.#known.values()) {
      for (const { head, tail, before, behind, page, onOneLine } of pages) {
        const behindId = bytes.length - tail.length;
        const length = behindId - head.length;
        if (length < 1 || length > longestId) continue;
        if (!head.equals(bytes.subarray(0, head.length)) || !tail.equals(bytes.subarray(behindId))) continue;
        const id = Buffer.from(bytes.buffer, bytes.byteOffset + head.length, length).toString("latin1");
        if (!plainId.test(id)) continue;
        const text = before + id + behind;
        const frame = { is: "result", text, id: { key: id, text: id, start: before.length }, page } as const;
        return onOneLine ? { ...frame, bytes } : frame;
      }
    }
    return undefined;
  }

  /** What was read from these very pages before. */
  offerOf(source: Source, frames: readonly ResultFrame[]): Offer | undefined {
    const known = this.#known.get(source);
    if (known?.pages.length !== frames.length) return undefined;
    return known.pages.every(({ page }, index) => page === frames[index]?.page) ? known.offer : undefined;
  }
}

const longestId = 130;

/** Spelled as its canonical form. */
const plainId = /^(?:0|[1-9][0-9]{0,14}|"[A-Za-z0-9_:.-]{1,128}")$/;
