import type { ServerName } from "@countersign/core";
import { coalesced } from "../coalesced.ts";
import { sayEvent } from "../print/say-event.ts";
import { sayIgnored } from "../print/say-ignored.ts";
import { sayLedgerEvent } from "../print/say-ledger-event.ts";
import type { GuardEvent } from "./guard-event.ts";

/** For whoever has no listener: what makes a server seem emptier or freer than it is, as a warning of the process. */
export function warnOf(server: ServerName): (event: GuardEvent) => void {
  const warn = (sentence: string | undefined) => {
    if (sentence !== undefined) process.emitWarning(`${server}: ${sentence}`, { type: "CountersignWarning" });
  };
  const often = coalesced((event) => warn(sayEvent(event)));
  return (event) => {
    switch (event.is) {
      case "withheld":
      case "let-through":
      case "list-failed":
      case "lists-late":
      case "no-answer-yet":
      case "broken":
        often(event);
        return;
      case "bypass-began":
      case "bypass-ended":
      case "ledger-trouble":
        warn(sayLedgerEvent(event));
        return;
      case "settings-ignored":
        warn(sayIgnored(event));
        return;
      // These are errors or answers that the client is given anyhow, or no news.
      case "answered":
      case "listed":
      case "verified":
      case "frame-refused":
      case "unasked-answer":
      case "method-refused":
      case "ask-refused":
      case "not-approved-yet":
      case "not-ready-yet":
      case "use-refused":
      case "use-let-through":
    }
  };
}
