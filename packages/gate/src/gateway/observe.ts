import type { ServerName } from "@countersign/core";
import type { Ledger } from "@countersign/ledger";
import type { GatewayEvent } from "./gateway-event.ts";
import { gatewayLog } from "./gateway-log.ts";
import type { LogFormat } from "./gateway-settings.ts";
import { lookAtLedger } from "./ledger-look.ts";
import type { Page } from "./look-at-request.ts";
import { gatewayMetrics } from "./metrics.ts";
import { operatorPages } from "./operator-pages.ts";

export interface ObserveOptions {
  readonly servers: Iterable<ServerName>;
  readonly ledger: Ledger;
  readonly log: LogFormat;
  readonly debug: boolean;
  /** One line of the log. */
  readonly write: (line: string) => void;
  readonly isDraining: () => boolean;
}

/** All that an operator sees of a gateway: its log, its metrics, its traces, and whether it lives. */
export interface Observed {
  readonly report: (event: GatewayEvent) => void;
  readonly stderr: (server: ServerName, line: string) => void;
  readonly pages: ReadonlyMap<string, Page>;
  readonly stop: () => void;
}

export async function observe(options: ObserveOptions): Promise<Observed> {
  const { servers, ledger, log: format, debug, write, isDraining } = options;
  const log = gatewayLog({ format, debug, write, now: Date.now });
  const trouble = (error: string) => report({ is: "access", event: { is: "trouble", error } });
  const looked = lookAtLedger({ ledger, trouble });
  const metrics = gatewayMetrics({ servers, ledgerAge: looked.age });
  const { telemetry } = await import("./telemetry.ts");
  const listeners = [log, metrics, telemetry()].filter((one) => one !== undefined);
  const report = (event: GatewayEvent) => {
    for (const one of listeners) one.report(event);
  };
  return {
    report,
    stderr: log.stderr,
    pages: operatorPages({ metrics: metrics.text, isDraining, isLedgerReadable: looked.isReadable }),
    stop: looked.stop,
  };
}
