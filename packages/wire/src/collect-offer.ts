import {
  areTooLarge,
  lists,
  memberOf,
  type Offer,
  type Page,
  readOffer,
  type ServerName,
  type Source,
} from "@countersign/core";
import type { Answer } from "./own-requests.ts";
import type { Repeats } from "./repeats.ts";
import type { ResultFrame } from "./serve.ts";
import type { ListFailure } from "./wire-event.ts";

export type Collected =
  /** `ttl`: how many milliseconds the server lets it be kept, the least of all pages, where it says so. */
  | { readonly is: "offer"; readonly offer: Offer; readonly pages: number; readonly ttl: number | undefined }
  | { readonly is: "failed"; readonly failure: ListFailure };

export interface CollectOptions {
  readonly server: ServerName;
  readonly source: Source;
  /** @param cursor JSON text of the cursor, as the server spelled it */
  readonly next: (cursor: string) => Promise<Answer>;
  readonly limits: { readonly pages: number; readonly definitions: number };
  readonly repeats: Repeats;
}

/** The whole list that begins with a page. A list that cannot be had whole is none: half of it would look complete. */
export async function collectOffer(
  first: ResultFrame,
  { server, source, next, limits, repeats }: CollectOptions,
): Promise<Collected> {
  const list = lists.get(source)?.list ?? "";
  const pages: ResultFrame[] = [];
  const cursors = new Set<string>();
  let definitions = 0;
  for (let page = first; ; ) {
    pages.push(page);
    const { text, result } = page.page;
    const items = memberOf(result, list);
    definitions += items?.is === "array" ? items.items.length : 0;
    if (definitions > limits.definitions) return failed("TOO_MANY_DEFINITIONS");
    if (areTooLarge(pages.map(({ page }) => page))) return failed("TOO_LARGE");
    const cursor = memberOf(result, "nextCursor");
    if (cursor === undefined) break;
    if (cursor.is !== "string") return failed("BAD_CURSOR");
    if (cursors.has(cursor.value)) return failed("REPEATED_CURSOR");
    if (pages.length >= limits.pages) return failed("ENDLESS_PAGES");
    cursors.add(cursor.value);
    const answer = await next(text.slice(cursor.start, cursor.end));
    if (answer.is !== "result") return failed(failureOf(answer).code);
    page = answer;
  }
  const read = pages.map(({ page }) => page);
  const known = repeats.offerOf(source, pages);
  // An object of its own: whoever rules on it can tell that the server has said it once more.
  if (known !== undefined) return { is: "offer", offer: { ...known }, pages: pages.length, ttl: leastTtl(read) };
  const reading = readOffer(server, source, read);
  if (reading.is === "refused") return failed(reading.because.code);
  repeats.remember(source, pages, reading.offer);
  return { is: "offer", offer: reading.offer, pages: pages.length, ttl: leastTtl(read) };
}

function leastTtl(pages: readonly Page[]): number | undefined {
  let least: number | undefined;
  for (const { result } of pages) {
    const ttl = memberOf(result, "ttlMs");
    if (ttl?.is === "number") least = Math.min(least ?? Number.POSITIVE_INFINITY, Math.max(0, Number(ttl.token)));
  }
  return least;
}

export function failureOf(answer: Exclude<Answer, ResultFrame>): ListFailure {
  return { code: answer.is === "error" ? "SERVER_ERROR" : answer.code };
}

function failed(code: ListFailure["code"]): Collected {
  return { is: "failed", failure: { code } };
}
