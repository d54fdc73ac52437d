import type { Address } from "./address.ts";
import { type LockedDefinition, type LockedServer, type Lockfile, lockedOrder } from "./lockfile.ts";
import { linesOf, spelled, wordOf } from "./lockfile-words.ts";

/** The first line. A file that begins otherwise is none that this version reads. */
export const lockfileHead = "countersign.lock 1";
export const lockfileNote =
  '# Approvals, written by "countersign lock": docs/format.md says what each line means, docs/ci.md what to do with a change.';

/** Equal approvals give equal bytes. */
export function writeLockfile({ servers }: Lockfile): string {
  const sorted = [...servers].sort((one, other) => (one.server < other.server ? -1 : 1));
  return [lockfileHead, lockfileNote, ...sorted.flatMap(linesOfServer)].map((line) => `${line}\n`).join("");
}

/** Every line says what it is about, so that no merge of two files can put one under another's head. */
export function linesOfServer({ server, ruleset, definitions }: LockedServer): readonly string[] {
  const sorted = [...definitions].sort((one, other) => lockedOrder(one.address, other.address));
  return [`${server} ruleset ${ruleset}`, ...sorted.flatMap(linesOfDefinition)];
}

function linesOfDefinition(definition: LockedDefinition): readonly string[] {
  const { address, received, contract, rendered, plan, acknowledged, expires, json } = definition;
  const fields = [`received ${received}`];
  if (contract !== received) fields.push(`contract ${contract}`);
  if (rendered !== received) fields.push(`rendered ${rendered}`);
  if (plan.prose !== "as-sent") fields.push(`prose ${plan.prose}`);
  if (plan.close === true) fields.push("close true");
  for (const { at, to } of plan.set ?? []) fields.push(`set ${wordOf(at)} ${spelled(JSON.stringify(to))}`);
  for (const rule of new Set(acknowledged.map(({ rule }) => rule).sort())) fields.push(`acknowledged ${wordOf(rule)}`);
  // biome-ignore lint/style/noRestrictedGlobals: it spells a time and reads no clock
  if (expires !== undefined) fields.push(`expires ${new Date(expires).toISOString()}`);
  for (const { at, value, more } of linesOf(json)) fields.push(`${wordOf(at)} ${more ? "+ " : ""}${value}`);
  const lead = leadOf(address);
  return fields.map((field) => `${lead} ${field}`);
}

function leadOf({ server, kind, name }: Address): string {
  return `${server} ${kind} ${wordOf(name)}`;
}
