import { asServerName, ManifestBindingError, visible } from "@countersign/core";
import {
  type Definitions,
  defaultPolicy,
  type Listed,
  planFor,
  policyDigest,
  readDefinitions,
  rulesetDigest,
} from "@countersign/judge";
import { type Ledger, openInMemory, openSqlite } from "@countersign/ledger";
import { approvalOf } from "../approval.ts";
import { GateError } from "../gate-error.ts";
import { ledgerPathOf } from "../project/ledger-path.ts";

/**
 * Opens a ledger for several transports of one process. Whoever opens it closes it, after the transports.
 *
 * @param path otherwise COUNTERSIGN_LEDGER, otherwise the user's own
 * @throws LedgerError; GateError `CONFIG` for one that came with a repository and that nobody has trusted
 */
export async function openLedger(path?: string): Promise<Ledger> {
  return openSqlite(await ledgerPathOf(path ?? process.env["COUNTERSIGN_LEDGER"]));
}

/** What was approved of one server, wherever that is kept. */
export interface ApprovedServer {
  /** The operator's name of it. */
  readonly server: string;
  /** In any form that `judge` takes; the file that `expectNoDrift` keeps is one. */
  readonly definitions: Definitions;
  /** What stands in an array or alone; otherwise `tool`. */
  readonly kind?: Listed;
  /** Rules whose findings in them somebody has looked at. */
  readonly acknowledged?: readonly string[];
}

/**
 * A ledger of this process alone, in which these definitions are approved and nothing else is: for a program that brings
 * its decisions with it. How a server is reached is not among them, so do not give its transport a `command`.
 *
 * @throws ManifestBindingError where something among them cannot be read or is malformed; GateError `USAGE` for a name
 *   that is none
 */
export async function ledgerInMemory(approved: readonly ApprovedServer[]): Promise<Ledger> {
  const ledger = await openInMemory();
  try {
    for (const one of approved) await approve(ledger, one);
    return ledger;
  } catch (error) {
    await ledger.close();
    throw error;
  }
}

async function approve(ledger: Ledger, { server: name, definitions, kind, acknowledged = [] }: ApprovedServer) {
  const server = asServerName(name);
  if (server === undefined) throw new GateError("USAGE", `Cannot approve: "${visible(name)}" is no name of a server`);
  const offer = readDefinitions(server, definitions, kind ?? "tool");
  const [malformed] = offer.malformed;
  if (malformed !== undefined) {
    const address = { server, kind: malformed.kind, name: malformed.name ?? "" };
    const what = `${address.kind} "${visible(address.name)}" of ${server}`;
    throw new ManifestBindingError("MALFORMED", address, [], `Cannot approve ${what}: it is malformed; leave it out`);
  }
  const approval = approvalOf({
    server,
    definitions: offer.definitions.map((definition) => ({
      definition,
      acknowledged,
      plan: planFor(defaultPolicy, definition.address, undefined),
    })),
    ...{ by: "the program", offer: offer.digest, ruleset: rulesetDigest, policy: policyDigest(defaultPolicy) },
  });
  if (approval.is === "unfit") throw new RangeError("a definition that is as it was sent fits");
  const texts = offer.definitions.map(({ received, address, text }) => ({
    ...{ digest: received, kind: address.kind, text },
  }));
  await ledger.record(approval.event, { texts: [...texts, ...approval.texts] });
}
