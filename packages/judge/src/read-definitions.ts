import {
  type JsonObject,
  type Kind,
  lists,
  ManifestBindingError,
  type Offer,
  readJson,
  readOffer,
  type ServerName,
  type Source,
} from "@countersign/core";

/**
 * Definitions, as JSON text or as a value: one; an array of them; the result of a list request, of several in one object,
 * or of a handshake. Text is judged as it is; a value has lost what `JSON.parse` loses, duplicate keys for instance.
 */
export type Definitions = string | object;

/** What stands in an array or alone, where nothing around it says so. */
export type Listed = Extract<Kind, "tool" | "prompt" | "resource" | "template">;

/**
 * All that is in them, as one offer of a server.
 *
 * @throws ManifestBindingError `NOT_JSON`, or `MALFORMED` where the whole cannot be read. One malformed definition is no
 *   error: it stands in `malformed`
 */
export function readDefinitions(server: ServerName, definitions: Definitions, kind: Listed): Offer {
  const pages = pagesIn(server, textOf(definitions), kind);
  const offers = pages.map(([source, text]) => {
    const reading = readOffer(server, source, [{ text, result: objectIn(server, text) }]);
    if (reading.is === "refused") throw unreadable(server, "MALFORMED", reading.because.code);
    return reading.offer;
  });
  const [first] = offers;
  if (first === undefined) throw new RangeError("definitions are on no page");
  return {
    ...first,
    definitions: offers.flatMap((offer) => offer.definitions),
    malformed: offers.flatMap(({ malformed }) => malformed),
  };
}

function textOf(definitions: Definitions): string {
  if (typeof definitions === "string") return definitions;
  if (!Array.isArray(definitions)) return JSON.stringify(definitions);
  const items: readonly unknown[] = definitions;
  return `[${items.map((item) => (typeof item === "string" ? item : JSON.stringify(item))).join(",")}]`;
}

/** A result for each list. What an object holds beside its lists goes with the first, or is a handshake of its own. */
function pagesIn(server: ServerName, text: string, kind: Listed): readonly (readonly [Source, string])[] {
  const own = [...lists].find(([, list]) => list.kind === kind);
  if (own === undefined) throw new RangeError(`there is no list of ${kind}`);
  const [source, { list }] = own;
  const reading = readJson(text);
  if (reading.is === "json" && reading.json.is === "array") return [[source, `{"${list}":${text}}`]];
  const { members } = objectIn(server, text);
  const listed = [...lists].filter(([, one]) => members.some(({ key }) => key === one.list));
  const handshake = members.some(({ key }) => handshakeKeys.has(key));
  if (listed.length === 0 && !handshake) return [[source, `{"${list}":[${text}]}`]];
  const spelled = (keep: (key: string) => boolean) =>
    `{${members
      .filter(({ key }) => keep(key))
      .map(({ start, value }) => text.slice(start, value.end))
      .join(",")}}`;
  const isListed = (key: string) => listed.some(([, one]) => one.list === key);
  const pages = listed.map(([of, one], index): readonly [Source, string] => [
    of,
    spelled((key) => key === one.list || (index === 0 && !handshake && !isListed(key))),
  ]);
  return handshake ? [["initialize", spelled((key) => !isListed(key))], ...pages] : pages;
}

const handshakeKeys: ReadonlySet<string> = new Set(["serverInfo", "instructions", "capabilities", "protocolVersion"]);

function objectIn(server: ServerName, text: string): JsonObject {
  const reading = readJson(text);
  if (reading.is === "refused") {
    throw unreadable(server, "NOT_JSON", `${reading.refusal.code} at offset ${reading.refusal.at}`);
  }
  if (reading.json.is !== "object") throw unreadable(server, "MALFORMED", "it is neither an object nor an array");
  return reading.json;
}

function unreadable(server: ServerName, code: "NOT_JSON" | "MALFORMED", because: string): ManifestBindingError {
  const address = { server, kind: "tool", name: "" } as const;
  const message = `Cannot judge the definitions of ${server}: ${because}; give one definition, an array of them, or the result of a list request`;
  return new ManifestBindingError(code, address, [], message);
}
