import type { Offer, Ruling, ServerName } from "@countersign/core";
import { policyDigest } from "@countersign/judge";
import type { Ledger } from "@countersign/ledger";
import { recordApproval } from "../packages/gate/src/commands/approve.ts";
import type { ServerSettings } from "../packages/gate/src/config.ts";
import { launchOffer } from "../packages/gate/src/launch/launch-offer.ts";
import { ruleByLedger } from "../packages/gate/src/rule-by-ledger.ts";
import { objectionsTo, standingOf } from "../packages/gate/src/standing.ts";
import { Guard } from "../packages/wire/src/guard.ts";
import { onlyLists } from "../packages/wire/src/only-lists.ts";

export interface GuardedListOptions {
  readonly server: ServerName;
  readonly ledger: Ledger;
  readonly settings: ServerSettings;
  readonly now: () => number;
}

/** One connection of `countersign run`, from the line of a server's list to the line for the host; only the pipes are missing. */
export class GuardedList {
  readonly #options: GuardedListOptions;
  readonly #guard: Guard;
  #id = 0;
  #answered: (line: Buffer) => void = () => undefined;
  #asked: () => void = () => undefined;

  constructor(options: GuardedListOptions) {
    const { server, ledger, settings, now } = options;
    this.#options = options;
    const rule: (offer: Offer) => Promise<readonly Ruling[]> = ruleByLedger(
      ledger,
      launchOffer(server, { command: "node", args: [] }),
      settings,
      now,
    );
    this.#guard = new Guard({
      ...onlyLists,
      ...{ server, rule, nonce: "bench", checkpoints: { load: false, change: false, refetchOnCall: false } },
      known: async () => (await ledger.snapshot(server)).bindings.size > 0,
      toServer: () => this.#asked(),
      // As the pipe to the host is written.
      toHost: (message) =>
        this.#answered(typeof message === "string" ? Buffer.from(`${message}\n`) : Buffer.concat([message, lf])),
      report: (event) => {
        if (event.is === "broken") throw new Error(`${event.what}: ${event.error}`);
      },
    });
  }

  /** Milliseconds from a result of `tools/list` to what the host gets. @param result JSON text */
  async list(result: string): Promise<{ readonly took: number; readonly line: Buffer }> {
    const id = ++this.#id;
    const asked = Promise.withResolvers<void>();
    this.#asked = asked.resolve;
    this.#guard.fromHost(Buffer.from(`{"jsonrpc":"2.0","id":${id},"method":"tools/list"}`));
    await asked.promise;
    const bytes = Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":${result}}`);
    const { promise, resolve } = Promise.withResolvers<Buffer>();
    this.#answered = resolve;
    const start = performance.now();
    this.#guard.fromServer(bytes);
    const line = await promise;
    return { took: performance.now() - start, line };
  }

  /** Approves all that was listed last, whatever is found in it, and the launch. */
  async approve(): Promise<void> {
    const { ledger, server, settings } = this.#options;
    const standing = await standingOf(ledger, server, settings.policy);
    if (standing === undefined) throw new Error(`Cannot approve ${server}: it was never seen`);
    const acknowledged = new Set(standing.definitions.flatMap(({ ruling }) => objectionsTo(ruling)));
    const signing = { acknowledged, by: "bench", unseen: false, policy: policyDigest(settings.policy) };
    await recordApproval(ledger, standing, standing.definitions, signing);
  }

  /** Hangs up. */
  close(): void {
    this.#guard.close("host");
  }
}

const lf = Buffer.from("\n");
