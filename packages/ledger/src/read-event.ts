import {
  addressKey,
  asDigest,
  asServerName,
  type Fault,
  type Json,
  kinds,
  memberOf,
  type Plan,
  type Pointer,
  proses,
  type ServerName,
  type Setting,
  sources,
} from "@countersign/core";
import { type Decode, listOf, objectOf, oneOf, scalar, textThat, whole, yes } from "./decode.ts";
import type { Approved, Bypassed, Enforced, Event, KeyAdded, KeyRevoked, Seen, Sighted, Withdrawn } from "./event.ts";
import { asKeyHash, asKeyId, asKeyName } from "./key.ts";
import { asPrincipalId, mostPrincipals, type PrincipalId } from "./principal.ts";

export type EventReading =
  | { readonly is: "event"; readonly event: Event }
  | { readonly is: "refused"; readonly problems: readonly string[] };

/** An event out of JSON that anybody may have written. Total; it names every problem at once and quotes no value. */
export function readEvent(json: Json): EventReading {
  const problems: string[] = [];
  const is = memberOf(json, "is");
  const decode = is?.is === "string" ? decoders.get(is.value) : undefined;
  const event = (decode ?? unknownEvent)(json, "event", problems);
  return event === undefined ? { is: "refused", problems } : { is: "event", event };
}

const unknownEvent: Decode<Event> = (_json, at, problems) => {
  problems.push(`${at}.is: not one of ${[...decoders.keys()].join(", ")}`);
  return undefined;
};

const server = textThat("a server name", asServerName);
const digest = textThat("a digest", asDigest);
const anyText = textThat("text", (text) => text);
const someText = textThat("text", (text) => (text === "" ? undefined : text));

const setting = objectOf({ at: textThat("text", (text) => text as Pointer), to: scalar });
/** Sorted and without repetition, so that one plan has one spelling. */
const settings: Decode<readonly Setting[]> = (json, at, problems) => {
  const list = listOf(setting)(json, at, problems);
  const sorted = list?.every((one, index) => index === 0 || (list[index - 1]?.at ?? "") < one.at);
  if (sorted === true && list?.length !== 0) return list;
  problems.push(`${at}: empty, not sorted, or one place twice`);
  return undefined;
};
const plan: Decode<Plan> = objectOf({ prose: oneOf(proses) }, { set: settings, close: yes });

const seen = { kind: oneOf(kinds), name: anyText, received: digest };
const seenDefinition = objectOf(seen);
const approvedDefinition = objectOf({
  ...seen,
  contract: digest,
  rendered: digest,
  plan,
  acknowledged: listOf(objectOf({ rule: someText })),
});

const faultCodes: Readonly<Record<Fault["code"], true>> = {
  WRONG_TYPE: true,
  MISSING: true,
  TWIN_KEY: true,
  DUPLICATE_NAME: true,
};
const malformed = objectOf(
  {
    index: whole,
    kind: oneOf(kinds),
    faults: listOf(
      objectOf({
        code: oneOf(Object.keys(faultCodes) as Fault["code"][]),
        at: textThat("text", (text) => text as Pointer),
      }),
    ),
  },
  { name: anyText },
);

const principal = textThat("a principal", asPrincipalId);
/** Sorted and without repetition, so that one decision has one spelling; a variant for nobody is none. */
const principals: Decode<readonly PrincipalId[]> = (json, at, problems) => {
  const list = listOf(principal)(json, at, problems);
  if (list === undefined) return undefined;
  const sorted = list.every((one, index) => index === 0 || (list[index - 1] ?? "") < one);
  if (sorted && list.length > 0 && list.length <= mostPrincipals) return list;
  problems.push(`${at}: empty, more than ${mostPrincipals}, not sorted, or one principal twice`);
  return undefined;
};

const sighted: Decode<Sighted> = objectOf(
  {
    is: oneOf(["sighted"]),
    server,
    source: oneOf(sources),
    offer: digest,
    definitions: eachOnce(listOf(seenDefinition)),
    malformed: listOf(malformed),
  },
  { size: whole, principal },
);

const approved: Decode<Approved> = objectOf(
  {
    is: oneOf(["approved"]),
    server,
    definitions: atLeastOne(eachOnce(listOf(approvedDefinition))),
    by: someText,
    ruleset: digest,
    policy: digest,
  },
  { reason: anyText, expires: whole, offer: digest, unseen: yes, principals },
);

const withdrawn: Decode<Withdrawn> = objectOf(
  {
    is: oneOf(["rejected", "revoked"]),
    server,
    definitions: atLeastOne(eachOnce(listOf(seenDefinition))),
    by: someText,
  },
  { reason: anyText },
);

const bypassed: Decode<Bypassed> = objectOf(
  { is: oneOf(["bypassed"]), server, until: whole, by: someText },
  { reason: anyText },
);

const enforced: Decode<Enforced> = objectOf({ is: oneOf(["enforced"]), server, by: someText }, { reason: anyText });

const key = textThat("a key's identifier", asKeyId);
/** Sorted, without repetition, and not empty: a key that may use nothing is none. */
const servers: Decode<readonly ServerName[]> = (json, at, problems) => {
  const list = listOf(server)(json, at, problems);
  if (list?.every((one, index) => index === 0 || (list[index - 1] ?? "") < one) === true && list.length > 0)
    return list;
  problems.push(`${at}: empty, not sorted, or one server twice`);
  return undefined;
};

const keyAdded: Decode<KeyAdded> = objectOf(
  {
    is: oneOf(["key-added"]),
    key,
    name: textThat("a key's name", asKeyName),
    hash: textThat("a key's hash", asKeyHash),
    by: someText,
  },
  { servers, expires: whole, reason: anyText },
);

const keyRevoked: Decode<KeyRevoked> = objectOf({ is: oneOf(["key-revoked"]), key, by: someText }, { reason: anyText });

const decoders: ReadonlyMap<string, Decode<Event>> = new Map<string, Decode<Event>>([
  ["sighted", sighted],
  ["approved", approved],
  ["rejected", withdrawn],
  ["revoked", withdrawn],
  ["bypassed", bypassed],
  ["enforced", enforced],
  ["key-added", keyAdded],
  ["key-revoked", keyRevoked],
]);

/** Two definitions of one address in one event would leave open which of them was meant. */
function eachOnce<T extends Seen>(list: Decode<readonly T[]>): Decode<readonly T[]> {
  return (json, at, problems) => {
    const definitions = list(json, at, problems);
    if (definitions === undefined || new Set(definitions.map(addressKey)).size === definitions.length)
      return definitions;
    problems.push(`${at}: two of one kind and name`);
    return undefined;
  };
}

/** A decision over nothing would be a standing one. */
function atLeastOne<T>(list: Decode<readonly T[]>): Decode<readonly T[]> {
  return (json, at, problems) => {
    const definitions = list(json, at, problems);
    if (definitions?.length !== 0) return definitions;
    problems.push(`${at}: empty`);
    return undefined;
  };
}
