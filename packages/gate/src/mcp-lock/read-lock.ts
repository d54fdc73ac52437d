import { createHash } from "node:crypto";
import { decodeUtf8, type Json, type JsonObject, memberOf, readJson, visible } from "@countersign/core";
import { GateError } from "../gate-error.ts";
import { type LockForm, lockCanonical } from "./canonical-forms.ts";
import { type LockField, lockFields } from "./surface-hash.ts";

/** An install lockfile: `mcp-lock/1` (the draft that is open to all), or version 2 of ToolPin's own. */
export interface Lock {
  readonly format: "mcp-lock/1" | "toolpin/2";
  readonly entries: readonly LockEntry[];
}

/** One server, resolved for one client. All of its strings were written by whoever wrote the file. */
export interface LockEntry {
  readonly name: string;
  readonly client: string;
  readonly scope: string;
  readonly pin: LockPin;
}

/**
 * What the entry says of the server's tools: one hash over all of them together. `LEGACY_HASH`: only hashes of a form whose
 * order depends on the locale of whoever made it.
 */
export type LockPin =
  | {
      readonly is: "surface";
      readonly form: LockForm;
      readonly coverage: readonly LockField[];
      readonly tools: number;
      readonly hash: Buffer;
      /** Whether the entry's own hash was found to be that of the entry. */
      readonly intact: boolean;
    }
  | { readonly is: "none"; readonly code: "NO_SURFACE" | "LEGACY_HASH" | "BAD_SURFACE" | "BAD_INTEGRITY" };

/** @throws GateError where the file is no lockfile that this Countersign knows */
export function readLock(bytes: Uint8Array, path: string): Lock {
  const text = decodeUtf8(bytes);
  const reading = text === undefined ? undefined : readJson(text);
  if (reading === undefined) throw unreadable(path, "it is not UTF-8");
  if (reading.is === "refused") {
    throw unreadable(path, `${reading.refusal.code} at offset ${reading.refusal.at}`);
  }
  const { json } = reading;
  const entries = memberOf(json, "entries");
  if (tokenOf(memberOf(json, "specVersion")) === "1" && entries?.is === "array") {
    // RFC 8785 alone would let two keys that look alike be one for some readers: mcp-lock/1 §8.2.
    if (lockCanonical(json, "rfc8785") === undefined) throw unreadable(path, "two of its keys are one in Unicode NFC");
    return distinct({ format: "mcp-lock/1", entries: entries.items.map((entry) => specEntry(entry, path)) }, path);
  }
  const servers = memberOf(json, "servers");
  if (tokenOf(memberOf(json, "lockfileVersion")) === "2" && servers?.is === "object") {
    return { format: "toolpin/2", entries: servers.members.map(({ value }) => toolpinEntry(value, path)) };
  }
  throw unreadable(path, "it has neither specVersion 1 and entries, nor lockfileVersion 2 and servers");
}

function specEntry(json: Json, path: string): LockEntry {
  const entry = named(json, path);
  const integrity = stringOf(memberOf(json, "integrity"));
  if (json.is !== "object" || integrity !== entryIntegrity(json)) {
    return { ...entry, pin: { is: "none", code: "BAD_INTEGRITY" } };
  }
  const surface = memberOf(json, "surface");
  if (surface === undefined) return { ...entry, pin: { is: "none", code: "NO_SURFACE" } };
  const [, base64 = ""] = /^sha256-([A-Za-z0-9+/]{43}=)$/.exec(stringOf(memberOf(surface, "hash")) ?? "") ?? [];
  return { ...entry, pin: pinOf(surface, "rfc8785", Buffer.from(base64, "base64"), true) };
}

function entryIntegrity(entry: JsonObject): string | undefined {
  const covered = { ...entry, members: entry.members.filter(({ key }) => key !== "integrity") };
  const canonical = lockCanonical(covered, "rfc8785");
  return canonical === undefined ? undefined : `sha256-${createHash("sha256").update(canonical).digest("base64")}`;
}

/** Its integrity is over a plan that only ToolPin knows how to normalise, so it is not checked. */
function toolpinEntry(json: Json, path: string): LockEntry {
  const entry = named(json, path);
  const manifest = memberOf(json, "capabilityManifest");
  const surface = memberOf(manifest, "toolSurfaceHash");
  if (surface === undefined) {
    const older = memberOf(manifest, "toolDescriptionHash") ?? memberOf(manifest, "toolManifestHash");
    return { ...entry, pin: { is: "none", code: older === undefined ? "NO_SURFACE" : "LEGACY_HASH" } };
  }
  const [hex = ""] = /^[0-9a-f]{64}$/.exec(stringOf(memberOf(surface, "value")) ?? "") ?? [];
  const known = stringOf(memberOf(surface, "algorithm")) === "sha256";
  return { ...entry, pin: pinOf(surface, "toolpin-2", Buffer.from(known ? hex : "", "hex"), false) };
}

function pinOf(surface: Json, form: LockForm, hash: Buffer, intact: boolean): LockPin {
  const named = memberOf(surface, "coverage");
  const words = named?.is === "array" ? named.items.map(stringOf) : [];
  const coverage = lockFields.filter((field) => words.includes(field));
  const tools = Number(tokenOf(memberOf(surface, "toolCount")) ?? Number.NaN);
  const sound =
    hash.length === 32 &&
    coverage.length === words.length &&
    coverage.includes("name") &&
    coverage.includes("description") &&
    Number.isSafeInteger(tools) &&
    tools >= 0;
  return sound ? { is: "surface", form, coverage, tools, hash, intact } : { is: "none", code: "BAD_SURFACE" };
}

function named(json: Json, path: string): Omit<LockEntry, "pin"> {
  const [name, client] = [stringOf(memberOf(json, "name")), stringOf(memberOf(json, "client"))];
  if (name === undefined || client === undefined) throw unreadable(path, "an entry has no name or no client");
  return { name, client, scope: stringOf(memberOf(json, "scope")) ?? "project" };
}

function distinct(lock: Lock, path: string): Lock {
  const identities = new Set(lock.entries.map(({ name, client, scope }) => JSON.stringify([name, client, scope])));
  if (identities.size < lock.entries.length) throw unreadable(path, "two entries are of one name, client and scope");
  return lock;
}

function stringOf(json: Json | undefined): string | undefined {
  return json?.is === "string" ? json.value : undefined;
}

function tokenOf(json: Json | undefined): string | undefined {
  return json?.is === "number" ? json.token : undefined;
}

function unreadable(path: string, because: string): GateError {
  return new GateError(
    "USAGE",
    `Cannot read lockfile "${visible(path)}": ${because}; give a file of mcp-lock/1 or of lockfileVersion 2`,
  );
}
