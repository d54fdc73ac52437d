import { addressKey, type Kind, kinds, type ServerName, visible } from "@countersign/core";
import type { Ledger } from "@countersign/ledger";
import { type ExitCode, exitCodes, GateError } from "../gate-error.ts";
import { shownName } from "../print/view.ts";
import { allBindings } from "../snapshot-for.ts";
import { waits } from "../standing.ts";
import { seen } from "./approve.ts";
import { type Places, standingFor, withLedger } from "./open.ts";
import { serverNamed } from "./scan.ts";

export interface WithdrawOptions extends Places {
  readonly server: string;
  /** One definition; without it `all` must be said. */
  readonly kind?: string;
  readonly name?: string;
  readonly all?: boolean;
  readonly reason?: string;
  readonly by: string;
}

export interface WithdrawReport {
  readonly server: string;
  /** A name that is text is not shown. */
  readonly withdrawn: readonly { readonly kind: string; readonly name: string }[];
  readonly exitCode: ExitCode;
}

/** Decides against what waits: it stays out until somebody approves that very digest. */
export async function reject(options: WithdrawOptions): Promise<WithdrawReport> {
  return withLedger(options, async (ledger) => {
    const server = serverNamed(options.server);
    const standing = await standingFor(ledger, server, options);
    const chosen = standing.definitions.filter(waits).map(seen).filter(chooser(options));
    return record(options, chosen, () => recordWithdrawal(ledger, chosen, withdrawal("rejected", options)));
  });
}

/** Takes approvals back: a running guard stops serving them with its next list or call. */
export async function revoke(options: WithdrawOptions): Promise<WithdrawReport> {
  return withLedger(options, async (ledger) => {
    const server = serverNamed(options.server);
    const bound = new Map<string, Chosen>();
    for (const { address, received } of allBindings(await ledger.snapshot(server)))
      bound.set(`${received} ${addressKey(address)}`, { kind: address.kind, name: address.name, received });
    const chosen = [...bound.values()].filter(chooser(options));
    return record(options, chosen, () => recordWithdrawal(ledger, chosen, withdrawal("revoked", options)));
  });
}

type Chosen = ReturnType<typeof seen>;

function withdrawal(is: "rejected" | "revoked", { server, by, reason }: WithdrawOptions): Withdrawing {
  return { is, server: serverNamed(server), by, ...(reason === undefined ? {} : { reason }) };
}

interface Withdrawing {
  readonly is: "rejected" | "revoked";
  readonly server: ServerName;
  readonly by: string;
  readonly reason?: string;
}

/** One entry, and one more wherever principals are offered different texts of one definition: an entry holds one of each. */
export async function recordWithdrawal(
  ledger: Ledger,
  definitions: readonly Chosen[],
  withdrawing: Withdrawing,
): Promise<void> {
  const entries: Map<string, Chosen>[] = [];
  for (const one of definitions) {
    const key = addressKey(one);
    const free = entries.find((entry) => !entry.has(key)) ?? new Map<string, Chosen>();
    if (free.size === 0) entries.push(free);
    free.set(key, one);
  }
  for (const entry of entries) await ledger.record({ ...withdrawing, definitions: [...entry.values()] });
}

async function record(
  options: WithdrawOptions,
  chosen: readonly Chosen[],
  write: () => Promise<unknown>,
): Promise<WithdrawReport> {
  if (chosen.length === 0) {
    throw new GateError(
      "NOTHING_WAITS",
      `Cannot find ${what(options)} of ${options.server} to decide on; see countersign status ${options.server}`,
    );
  }
  await write();
  return {
    server: options.server,
    withdrawn: chosen.map(({ kind, name }) => ({ kind, name: shownName(name, { text: false }) })),
    exitCode: exitCodes.clean,
  };
}

function chooser(options: WithdrawOptions): (one: { kind: Kind; name: string }) => boolean {
  if (options.all === true && options.kind === undefined) return () => true;
  const { name } = options;
  const kind = kinds.find((one) => one === options.kind);
  if (kind === undefined || name === undefined) {
    throw new GateError(
      "USAGE",
      `Cannot tell what to decide on: name one definition (a kind of ${kinds.join(", ")}, and its name) or say --all`,
    );
  }
  return (one) => addressKey(one) === addressKey({ kind, name });
}

function what({ kind, name }: WithdrawOptions): string {
  return kind === undefined ? "anything" : `${visible(kind)} "${visible(name ?? "")}"`;
}
