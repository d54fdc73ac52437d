import { visible } from "@countersign/core";
import type { KeyAddedReport, KeyRow, KeysReport, KeysRevokedReport } from "../commands/key.ts";

/** The key stands in a line of its own, for whoever copies it. */
export function sayKeyAdded({ key, id, name, servers, expires, seq }: KeyAddedReport): string {
  const what = servers === undefined ? "every server" : servers.join(", ");
  const until = expires === undefined ? "" : ` until ${expires}`;
  return [
    key,
    `added for ${name}, who may use ${what}${until} (${id}, entry ${seq} of the ledger)`,
    "this is the only time that it is shown: what is kept of it cannot be used in its place",
  ].join("\n");
}

export function sayKeys({ keys, left }: KeysReport): string {
  const more = left === 0 ? [] : [`${left} revoked ${left === 1 ? "one is" : "ones are"} not shown; add --all`];
  if (keys.length === 0) return ["there is no key that opens the gateway", ...more].join("\n");
  return [...keys.map(sayKey), ...more].join("\n");
}

function sayKey({ id, name, servers, expires, added, revoked, standing }: KeyRow): string {
  const what = servers === undefined ? "every server" : servers.join(", ");
  const until = expires === undefined ? "" : standing === "expired" ? `, EXPIRED ${expires}` : `, until ${expires}`;
  const ended = revoked === undefined ? "" : `, REVOKED ${revoked.at} by ${visible(revoked.by)}`;
  return `${id}  ${name}  ${what}${until}${ended}  (added ${added.at} by ${visible(added.by)})`;
}

export function sayKeysRevoked({ name, ids, seq }: KeysRevokedReport): string {
  const keys = ids.length === 1 ? "the key" : `${ids.length} keys`;
  return `revoked ${keys} of ${name} (${ids.join(", ")}; entry ${seq} of the ledger); a gateway that runs takes no notice of ${ids.length === 1 ? "it" : "them"} any more`;
}
