import { existsSync } from "node:fs";
import { kinds } from "@countersign/core";
import { descriptionRules, identityRules, schemaRules } from "@countersign/judge";
import { LedgerError, openSqlite } from "@countersign/ledger";
import type { Command } from "commander";
import { complete } from "./cli/complete.ts";
import { GateError } from "./gate-error.ts";
import { ledgerPathOf } from "./project/ledger-path.ts";

/** Answers a shell that asks what may follow: a word a line, or `:files`. */
export async function completeWords(program: Command, words: readonly string[]): Promise<string> {
  const completion = await complete(program, words, {
    servers,
    rules: [...descriptionRules, ...schemaRules, ...identityRules].map(({ id }) => id),
    kinds,
  });
  return completion.is === "files" ? ":files\n" : completion.words.map((word) => `${word}\n`).join("");
}

/** Whoever presses a key wants no ledger made, and no lecture about one that cannot be read. */
async function servers(): Promise<readonly string[]> {
  try {
    const path = await ledgerPathOf(process.env["COUNTERSIGN_LEDGER"]);
    if (!existsSync(path)) return [];
    const ledger = await openSqlite(path);
    try {
      return [...(await ledger.state()).servers.keys()];
    } finally {
      await ledger.close();
    }
  } catch (error) {
    if (error instanceof LedgerError || error instanceof GateError) return [];
    throw error;
  }
}
