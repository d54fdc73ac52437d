import { visible } from "@countersign/core";
import { defaultLedgerPath } from "../paths.ts";
import { realPathOf, repositoryOf } from "./repository.ts";
import { trustWords } from "./trust-words.ts";

/**
 * The ledger to open. One that lies in a repository could have come with it, approvals and all, so it is not used until
 * somebody trusts that very file.
 *
 * @param given by `--ledger` or the environment, both of which a repository's host config may hold
 */
export async function ledgerPathOf(given: string | undefined): Promise<string> {
  const path = given ?? defaultLedgerPath();
  const around = repositoryOf(path);
  if (around === undefined) return path;
  const real = realPathOf(path);
  const { isTrusted, ledgerTrust } = await import("./trust.ts");
  const trusted = ledgerTrust(real);
  if (trusted !== undefined && (await isTrusted(trusted))) return real;
  const { GateError } = await import("../gate-error.ts");
  throw new GateError(
    "CONFIG",
    `Cannot use ledger "${visible(real)}": it lies in a repository (${visible(around)}), which could bring approvals of its own; keep the ledger elsewhere, or run ${trustWords("ledger", real)}`,
  );
}
