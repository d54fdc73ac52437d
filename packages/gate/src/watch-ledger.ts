import type { LedgerSnapshot } from "@countersign/ledger";
import type { ServerSettings } from "./config.ts";
import type { LedgerEvent } from "./ledger-event.ts";
import { letThroughNow } from "./let-through-now.ts";
import { allBindings } from "./snapshot-for.ts";

export interface Watch {
  readonly snapshot: () => Promise<LedgerSnapshot>;
  readonly mode: ServerSettings["mode"];
  /** Decisions, or what time does to them, may have changed a verdict. */
  readonly changed: () => Promise<void>;
  readonly report: (event: LedgerEvent) => void;
}

/** A decision in another process, and the end of a bypass or an approval, reach the host of this one within half a second. */
export function watchLedger({ snapshot, mode, changed, report }: Watch): NodeJS.Timeout {
  let seen: string | undefined;
  let looking = false;
  let trouble: string | undefined;
  let bypassed: number | undefined;
  const look = async () => {
    const current = await snapshot();
    const { seq, unstableUntil } = current;
    const expired = [...allBindings(current)].filter(({ expires }) => expires !== undefined && expires <= current.now);
    const bypass = letThroughNow(mode, current) === "BYPASSED" ? current.bypass : undefined;
    if (bypass?.until !== bypassed)
      report(bypass === undefined ? { is: "bypass-ended" } : { is: "bypass-began", bypass });
    bypassed = bypass?.until;
    // When the quota is free again, what was offered last is journalled though nobody asks for it.
    const now = `${seq} ${unstableUntil === undefined} ${bypass?.until} ${expired.length}`;
    if (seen !== undefined && now !== seen) await changed();
    seen = now;
    trouble = undefined;
  };
  const lookAgain = () => {
    if (looking) return;
    looking = true;
    look()
      .catch((error) => {
        const text = error instanceof Error ? error.message : String(error);
        if (text !== trouble) report({ is: "ledger-trouble", error: text });
        trouble = text;
      })
      .finally(() => {
        looking = false;
      });
  };
  lookAgain();
  return setInterval(lookAgain, 400).unref();
}
