import type { LedgerEvent } from "../ledger-event.ts";
import { sayBypass } from "./say-bypass.ts";

export function sayLedgerEvent(event: LedgerEvent): string {
  switch (event.is) {
    case "bypass-began":
      return sayBypass(event.bypass);
    case "bypass-ended":
      return "the bypass is over: what is not approved is withheld again";
    case "ledger-trouble":
      return `cannot look at the ledger: ${event.error}`;
  }
}
