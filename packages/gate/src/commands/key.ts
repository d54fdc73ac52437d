import type { ServerName } from "@countersign/core";
import { visible } from "@countersign/core";
import {
  type AccessKey,
  asKeyName,
  type KeyName,
  keyStanding,
  type Ledger,
  type RecordResult,
} from "@countersign/ledger";
import { newKey } from "../access/key.ts";
import { lifetimeOf } from "../duration.ts";
import { type ExitCode, exitCodes, GateError } from "../gate-error.ts";
import { type Places, withLedger } from "./open.ts";
import { serverNamed } from "./scan.ts";

interface Decided extends Places {
  readonly by: string;
  readonly reason?: string;
}

export interface AddKeyOptions extends Decided {
  readonly name: string;
  /** Names of servers, between commas. */
  readonly servers?: string;
  /** As "90d". */
  readonly expires?: string;
  /** One more key of a name that has one. */
  readonly another?: boolean;
}

export interface KeyRow {
  readonly id: string;
  readonly name: string;
  /** The only ones that it may use. */
  readonly servers?: readonly string[];
  /** ISO 8601. */
  readonly expires?: string;
  readonly added: { readonly at: string; readonly by: string };
  readonly revoked?: { readonly at: string; readonly by: string };
  readonly standing: "live" | "revoked" | "expired";
}

export interface KeyAddedReport {
  readonly is: "added";
  /** The key itself. Nothing keeps it. */
  readonly key: string;
  readonly id: string;
  readonly name: string;
  readonly servers?: readonly string[];
  readonly expires?: string;
  readonly seq: number;
  readonly exitCode: ExitCode;
}

export interface KeysReport {
  readonly is: "keys";
  readonly keys: readonly KeyRow[];
  /** Revoked ones that are not among them. */
  readonly left: number;
  readonly exitCode: ExitCode;
}

export interface KeysRevokedReport {
  readonly is: "revoked";
  readonly name: string;
  readonly ids: readonly string[];
  readonly seq: number;
  readonly exitCode: ExitCode;
}

/** Makes a key for the gateway, and keeps what it takes to recognise it. */
export async function addKey(options: AddKeyOptions): Promise<KeyAddedReport> {
  const name = keyNamed(options.name);
  const servers = options.servers === undefined ? undefined : serversIn(options.servers);
  const expires = options.expires === undefined ? undefined : Date.now() + lifetimeOf(options.expires, "a key");
  const { id, text, hash } = newKey();
  return withLedger(options, async (ledger) => {
    const result = await ledger.record(
      {
        ...{ is: "key-added", key: id, name, hash, by: options.by },
        ...(servers === undefined ? {} : { servers }),
        ...(expires === undefined ? {} : { expires }),
        ...(options.reason === undefined ? {} : { reason: options.reason }),
      },
      { expecting: [{ is: "new-key", key: id, ...(options.another === true ? {} : { name }) }] },
    );
    if (result.is === "moved") {
      throw new GateError(
        "USAGE",
        `Cannot add a key for ${name}: there is one already, and whoever has another one would be the same caller; give another name, or --another if that is meant`,
      );
    }
    return {
      ...{ is: "added", key: text, id, name, seq: seqOf(result), exitCode: exitCodes.clean },
      ...(servers === undefined ? {} : { servers }),
      ...(expires === undefined ? {} : { expires: new Date(expires).toISOString() }),
    };
  });
}

export async function listKeys({ all = false, ...places }: { readonly all?: boolean } & Places): Promise<KeysReport> {
  return withLedger(places, async (ledger) => {
    const rows = [...(await ledger.state()).keys.values()].map(rowOf);
    const keys = rows.filter(({ standing }) => all || standing !== "revoked");
    return { is: "keys", keys, left: rows.length - keys.length, exitCode: exitCodes.clean };
  });
}

/** Takes every key of a name back, or the one of an identifier. A gateway that runs lets it in no more, and ends its streams. */
export async function revokeKeys({
  which,
  ...options
}: { readonly which: string } & Decided): Promise<KeysRevokedReport> {
  return withLedger(options, async (ledger) => {
    const found = await keysCalled(ledger, which);
    const [first] = found;
    if (first === undefined) {
      throw new GateError(
        "NOTHING_WAITS",
        `Cannot revoke "${visible(which)}": no key that is not revoked has this name or identifier; see countersign key list`,
      );
    }
    const reason = options.reason === undefined ? {} : { reason: options.reason };
    let seq = 0;
    for (const { key } of found) {
      seq = seqOf(await ledger.record({ is: "key-revoked", key, by: options.by, ...reason }));
    }
    return { is: "revoked", name: first.name, ids: found.map(({ key }) => key), seq, exitCode: exitCodes.clean };
  });
}

async function keysCalled(ledger: Ledger, which: string): Promise<readonly AccessKey[]> {
  const keys = [...(await ledger.state()).keys.values()].filter(({ revoked }) => revoked === undefined);
  const byId = keys.filter(({ key }) => key === which);
  const byName = keys.filter(({ name }) => name === which);
  if (byId.length > 0 && byName.length > 0) {
    const ids = byName.map(({ key }) => key).join(", ");
    throw new GateError(
      "USAGE",
      `Cannot tell which key "${visible(which)}" is: it is the identifier of one and the name of others; give identifiers, which are ${ids} for the name`,
    );
  }
  return byId.length > 0 ? byId : byName;
}

function rowOf(one: AccessKey): KeyRow {
  const { key, name, servers, expires, at, by, revoked } = one;
  return {
    ...{ id: key, name, standing: keyStanding(one, Date.now()), added: { at: timeOf(at), by } },
    ...(servers === undefined ? {} : { servers }),
    ...(expires === undefined ? {} : { expires: timeOf(expires) }),
    ...(revoked === undefined ? {} : { revoked: { at: timeOf(revoked.at), by: revoked.by } }),
  };
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

function keyNamed(text: string): KeyName {
  const name = asKeyName(text);
  if (name !== undefined) return name;
  throw new GateError(
    "USAGE",
    `Cannot call a key "${visible(text)}": give letters, digits, dots, hyphens, underscores and @, 64 at most, and begin with a letter or a digit`,
  );
}

function serversIn(text: string): readonly ServerName[] {
  return [...new Set(text.split(",").map((name) => serverNamed(name.trim())))].sort();
}

function seqOf(result: RecordResult): number {
  if (result.is !== "recorded") throw new RangeError("what is expected of nothing else is recorded");
  return result.seq;
}
