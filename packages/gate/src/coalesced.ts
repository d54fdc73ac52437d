import type { WireEvent } from "@countersign/wire";

/** The same event many times over is said once, and then at the 10th, 100th ... time, so that a server cannot fill a log. */
export function coalesced(report: (event: WireEvent) => void): (event: WireEvent) => void {
  return coalescedBy(wireEventKey, report);
}

/**
 * As `coalesced`, of events of any sort, for whoever wants to know how often it was.
 *
 * @param keyOf the same for what is the same
 */
export function coalescedBy<Event>(
  keyOf: (event: Event) => string,
  report: (event: Event, count: number) => void,
): (event: Event) => void {
  const counts = new Map<string, number>();
  return (event) => {
    const key = keyOf(event);
    const count = (counts.get(key) ?? 0) + 1;
    // A server that makes up methods makes up keys as well.
    if (counts.size < 1_000 || counts.has(key)) counts.set(key, count);
    if (/^10*$/.test(String(count)) && counts.has(key)) report(event, count);
  };
}

export function wireEventKey(event: WireEvent): string {
  return JSON.stringify([
    event.is,
    "code" in event ? event.code : "",
    "method" in event ? event.method.slice(0, 64) : "",
    "review" in event ? event.review : "",
  ]);
}
