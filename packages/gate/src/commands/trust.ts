import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { visible } from "@countersign/core";
import { openSqlite } from "@countersign/ledger";
import { type ExitCode, exitCodes, GateError } from "../gate-error.ts";
import { ownOnlyIn } from "../gateway/own-only.ts";
import { defaultConfigPath } from "../paths.ts";
import { readProjects } from "../project/read-projects.ts";
import { ownPathOf, projectConfigFrom, projectConfigName, realPathOf } from "../project/repository.ts";
import {
  configTrust,
  giveTrust,
  ledgerTrust,
  type Trusted,
  type TrustRecord,
  takeTrust,
  trusts,
} from "../project/trust.ts";

export interface TrustOptions {
  /** A config, or a ledger; without it the config of the project here. */
  readonly path?: string;
  readonly ledger?: boolean;
}

/** What somebody would trust. */
export interface Examined {
  readonly kind: Exclude<Trusted["kind"], "lockfile">;
  /** Of a config by `ownPathOf`, of a ledger by `realPathOf`. */
  readonly path: string;
  /** Of a config: the settings that loosen what counts without it. */
  readonly loosens: readonly string[];
  /** Of a ledger: how much is approved in it. */
  readonly approved: readonly { readonly server: string; readonly definitions: number }[];
}

export interface TrustReport extends Examined {
  readonly exitCode: ExitCode;
}

export interface TrustListReport {
  readonly trusts: readonly (TrustRecord & { readonly stands: "holds" | "changed" | "gone" })[];
  readonly exitCode: ExitCode;
}

export interface UntrustReport {
  readonly path: string;
  /** Records of trust that are gone now: one for each content that was trusted. */
  readonly taken: number;
  readonly exitCode: ExitCode;
}

/**
 * Trusts one file as it is, once `agree` has been shown what that allows.
 *
 * @throws GateError where it cannot be read, or where nobody agreed
 */
export async function trust(
  options: TrustOptions,
  agree: (examined: Examined) => Promise<boolean>,
  by: string,
): Promise<TrustReport> {
  const path = pathOf(options);
  const { examined, trusted } = options.ledger === true ? await examineLedger(path) : await examineConfig(path);
  if (!(await agree(examined))) throw new GateError("MOVED", `Did not trust "${visible(path)}": nobody said yes`);
  // A ledger that is made now holds nothing that somebody else has put there.
  if (trusted === undefined) await (await openSqlite(path)).close();
  const mark = trusted ?? ledgerTrust(path);
  if (mark === undefined) throw new RangeError("a ledger that was just opened is not there");
  await giveTrust(mark, by);
  return { ...examined, exitCode: exitCodes.clean };
}

export async function listTrusts(): Promise<TrustListReport> {
  return { trusts: (await trusts()).map((one) => ({ ...one, stands: stands(one) })), exitCode: exitCodes.clean };
}

export async function untrust(options: TrustOptions): Promise<UntrustReport> {
  const path = pathOf(options);
  const taken = await takeTrust([path, realPathOf(path)]);
  return { path, taken, exitCode: taken > 0 ? exitCodes.clean : exitCodes.unapproved };
}

function pathOf({ path, ledger }: TrustOptions): string {
  if (path !== undefined && ledger === true) return realPathOf(path);
  if (path !== undefined) {
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
    return ownPathOf(isFolder ? join(path, projectConfigName) : path);
  }
  if (ledger === true) throw new GateError("USAGE", "Cannot trust a ledger without its path; give it after --ledger");
  const found = projectConfigFrom(process.cwd());
  if (found !== undefined) return found;
  throw new GateError(
    "USAGE",
    `Cannot find the config of a project: no ${projectConfigName} here or above, up to the folder with .git; give its path`,
  );
}

interface Examination {
  readonly examined: Examined;
  /** Absent of a ledger that is not there yet. */
  readonly trusted: Trusted | undefined;
}

async function examineConfig(path: string): Promise<Examination> {
  const user = { path: defaultConfigPath(), asked: false };
  const [file] = (await readProjects({ user, projects: [{ path, asked: true }] })).files;
  if (file === undefined) throw new RangeError("a config that has to be there was not read");
  // What counts where `countersign gateway --config` names the file.
  const served = ownOnlyIn(file.config).map(({ at, value }) => `${at} = ${JSON.stringify(value)}`);
  return {
    examined: { kind: "config", path, loosens: [...file.loosens, ...served], approved: [] },
    trusted: file.trust,
  };
}

async function examineLedger(path: string): Promise<Examination> {
  const trusted = ledgerTrust(path);
  if (trusted === undefined) return { examined: { kind: "ledger", path, loosens: [], approved: [] }, trusted };
  const ledger = await openSqlite(path);
  try {
    const { problems } = await ledger.verify();
    if (problems.length > 0) {
      throw new GateError("CONFIG", `Cannot trust ledger "${visible(path)}": it is not sound (${problems[0]?.code})`);
    }
    const servers = [...(await ledger.state()).servers];
    const approved = servers.map(([server, { bindings }]) => ({ server, definitions: bindings.size }));
    return { examined: { kind: "ledger", path, loosens: [], approved }, trusted };
  } finally {
    await ledger.close();
  }
}

function stands(record: TrustRecord): "holds" | "changed" | "gone" {
  if (!existsSync(record.path)) return "gone";
  if (ownPathOf(record.path) !== record.path) return "changed";
  const now = record.kind === "ledger" ? ledgerTrust(record.path) : configTrust(record.path, readFileSync(record.path));
  return now?.mark === record.mark ? "holds" : "changed";
}
