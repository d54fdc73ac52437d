import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asServerName, type Offer, type Ruling, readJson, readOffer, type ServerName } from "@countersign/core";
import { type Ledger, openSqlite, type PrincipalId } from "@countersign/ledger";
import { type ServerSettings, settingsOf } from "../config.ts";
import { launchOffer } from "../launch/launch-offer.ts";
import { ruleByLedger } from "../rule-by-ledger.ts";
import { type Standing, standingOf } from "../standing.ts";

export const server = asServerName("notes") as ServerName;

/** A ledger of one test's own, with a clock that the test sets, and a server called "notes" before it. */
export interface Notes {
  readonly ledger: Ledger;
  readonly path: string;
  time: number;
  settings: ServerSettings;
  /** What each connection is given: for everybody, or for one principal. */
  guard(principal?: PrincipalId): (offer: Offer) => Promise<readonly Ruling[]>;
  standing(): Promise<Standing>;
  /** Writes a config, and goes by it from now on. Returns its path. */
  configure(config: unknown): Promise<string>;
  close(): Promise<void>;
}

export const launch = launchOffer(server, { command: "node", args: [] });

export async function openNotes(): Promise<Notes> {
  const folder = await mkdtemp(join(tmpdir(), "countersign-gate-"));
  const path = join(folder, "ledger.db");
  const ledger = await openSqlite(path, { now: () => notes.time });
  const notes: Notes = {
    ledger,
    path,
    time: Date.UTC(2026, 10, 30),
    settings: await settingsOf(server, join(folder, "none.jsonc"), false),
    guard: (principal) =>
      ruleByLedger(ledger, launch, notes.settings, () => notes.time, principal === undefined ? {} : { principal }),
    async standing() {
      const found = await standingOf(ledger, server, notes.settings.policy);
      if (found === undefined) throw new RangeError("notes was never seen");
      return found;
    },
    async configure(config) {
      const file = join(folder, "countersign.jsonc");
      await writeFile(file, JSON.stringify(config));
      notes.settings = await settingsOf(server, file, true);
      return file;
    },
    async close() {
      await ledger.close();
      await rm(folder, { recursive: true });
    },
  };
  return notes;
}

export function tool(name: string, description: string): string {
  return `{"name":"${name}","description":"${description}","inputSchema":{"type":"object","properties":{},"additionalProperties":false}}`;
}

export function offering(...tools: readonly string[]): Offer {
  const text = `{"tools":[${tools.join(",")}]}`;
  const reading = readJson(text);
  if (reading.is === "refused") throw new RangeError(text);
  const offer = readOffer(server, "tools/list", [{ text, result: reading.json }]);
  if (offer.is === "refused") throw new RangeError(offer.because.code);
  return offer.offer;
}

export function seenIn(offer: Offer) {
  return offer.definitions.map(({ address: { kind, name }, received }) => ({ kind, name, received }));
}

/** Each as its verdict and the codes of its reasons. */
export function codes(rulings: readonly Ruling[]): readonly string[] {
  return rulings.map(({ verdict, reasons }) => [verdict, ...reasons.map(({ code }) => code)].join(" "));
}
