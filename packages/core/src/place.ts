import type { Kind } from "./address.ts";

/** What a carrier is for. Every role is pinned and judged; roles only weigh and rank. */
export type Role = "identity" | "prose" | "contract" | "hint" | "media" | "opaque";

/**
 * What stands at one place of a definition. The walk over a definition is generic and total; places only classify what
 * it meets, so a key that no table knows is still a carrier.
 */
export interface Place {
  /** The places that drift tells apart; every other place is a `value`. */
  readonly is: "value" | "schema" | "schemas" | "set" | "bound" | "open" | "hint";
  /** The role of a string here, and of any other leaf. */
  readonly text: Role;
  readonly scalar: Role;
  /** The role of the keys here that no table knows. In a map (`properties`) these are names. */
  readonly key: Role;
  /** Known keys. Readers find these by name, so a look-alike beside one of them is refused (docs/format.md §1). */
  readonly known: ReadonlyMap<string, Place>;
  readonly other: Place;
  readonly items: Place;
  /** For a bound or a set: which way permits more. For a hint: the value that claims the safer tool. */
  readonly loose: "higher" | "lower" | boolean | undefined;
  /** For a set: what its absence permits. */
  readonly absent: "everything" | "nothing";
  /** Set where what stands here changes nothing but what a reader is told, so that a plan may mask it: see `mask.ts`. */
  readonly annotation: Annotation | undefined;
}

/**
 * `prose`: a text for a reader. `labels`: the same, in any shape. `sample`: a value that a caller may copy. `flag`: yes or
 * no; anything else says more than it is for. `strings`: only the strings here say anything. `other`: what no contract names.
 */
export type Annotation = "prose" | "labels" | "sample" | "flag" | "strings" | "other";

interface PlaceParts {
  is?: Place["is"];
  text: Role;
  scalar?: Role;
  key?: Role;
  known?: Record<string, Place>;
  other?: Place;
  items?: Place;
  loose?: "higher" | "lower" | boolean;
  absent?: Place["absent"];
  annotation?: Annotation;
}

/** Stands in for the links of a place until it has them. */
const nowhere = undefined as unknown as Place;

/** A place whose unknown members and items are, unless said otherwise, places like itself. */
function place(parts: PlaceParts): Place {
  const made: { -readonly [K in keyof Place]: Place[K] } = {
    is: parts.is ?? "value",
    text: parts.text,
    scalar: parts.scalar ?? parts.text,
    key: parts.key ?? "opaque",
    known: new Map(Object.entries(parts.known ?? {})),
    other: nowhere,
    items: nowhere,
    loose: parts.loose,
    absent: parts.absent ?? "everything",
    annotation: parts.annotation,
  };
  made.other = parts.other ?? made;
  made.items = parts.items ?? made;
  return made;
}

const identity = place({ text: "identity" });
/** Free text. A value of another type here is not text, and nothing is known about it. */
const prose = place({ text: "prose", scalar: "opaque", annotation: "prose" });
const labels = place({ text: "prose", scalar: "opaque", annotation: "labels" });
const contract = place({ text: "contract" });
const media = place({ text: "media" });
const link = place({ text: "media", annotation: "other" });
const opaque = place({ text: "prose", scalar: "opaque", annotation: "other" });
const flag = place({ text: "prose", scalar: "hint", annotation: "flag" });
/** An array whose order means nothing: `enum` and `type` permit more when they name more, `required` when it names less. */
const set = place({ is: "set", text: "contract", items: contract, loose: "higher" });
const required = place({ is: "set", text: "contract", items: contract, loose: "lower" });
const open = (loose: "higher" | "lower") => place({ is: "bound", text: "contract", loose });
const hint = (loose: boolean) => place({ is: "hint", text: "prose", scalar: "hint", loose, annotation: "flag" });

/** `default` and `examples` reach the model as text and a caller as values. */
const sample = place({ text: "prose", scalar: "contract", key: "prose", annotation: "sample" });
const samples = place({ text: "prose", scalar: "contract", key: "prose", annotation: "labels" });

const schema = place({ is: "schema", text: "contract", key: "opaque", other: opaque }) as Place & {
  known: Map<string, Place>;
};
const schemas = place({ is: "schemas", text: "contract", key: "identity", other: schema, items: schema });
const names = place({ text: "contract", key: "identity", other: required, items: contract });
const openness = place({ is: "open", text: "contract", other: opaque }) as Place & { known: Map<string, Place> };

/** JSON Schema 2020-12 and what older dialects call differently; MCP's `x-mcp-header` is a contract with the transport. */
const keywords: Record<string, Place> = {
  title: prose,
  description: prose,
  $comment: prose,
  examples: samples,
  default: sample,
  deprecated: flag,
  readOnly: flag,
  writeOnly: flag,
  enumNames: labels,
  contentSchema: schema,
  contentMediaType: contract,
  contentEncoding: contract,
  format: contract,
  "x-mcp-header": contract,
  type: set,
  enum: set,
  required,
  const: contract,
  pattern: contract,
  minimum: open("lower"),
  exclusiveMinimum: open("lower"),
  minLength: open("lower"),
  minItems: open("lower"),
  minProperties: open("lower"),
  minContains: open("lower"),
  maximum: open("higher"),
  exclusiveMaximum: open("higher"),
  maxLength: open("higher"),
  maxItems: open("higher"),
  maxProperties: open("higher"),
  maxContains: open("higher"),
  multipleOf: contract,
  uniqueItems: contract,
  $ref: contract,
  $dynamicRef: contract,
  $id: contract,
  $anchor: contract,
  $dynamicAnchor: contract,
  $schema: contract,
  $vocabulary: contract,
  properties: schemas,
  patternProperties: schemas,
  $defs: schemas,
  definitions: schemas,
  dependentSchemas: schemas,
  dependencies: schemas,
  dependentRequired: names,
  allOf: schemas,
  anyOf: schemas,
  oneOf: schemas,
  prefixItems: schemas,
  items: schema, // a list of them before 2020-12
  additionalItems: openness,
  contains: schema,
  not: schema,
  if: schema,
  // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword
  then: schema,
  else: schema,
  additionalProperties: openness,
  unevaluatedProperties: openness,
  unevaluatedItems: openness,
  propertyNames: schema,
};
for (const [keyword, where] of Object.entries(keywords)) {
  schema.known.set(keyword, where);
  openness.known.set(keyword, where);
}

const icon = place({
  text: "media",
  known: { src: media, mimeType: media, sizes: media, theme: media },
  other: media,
});
const icons = place({ text: "media", other: media, items: icon, annotation: "other" });

const tool = place({
  text: "opaque",
  known: {
    name: identity,
    title: prose,
    description: prose,
    inputSchema: schema,
    outputSchema: schema,
    annotations: place({
      text: "opaque",
      known: {
        title: prose,
        readOnlyHint: hint(true),
        destructiveHint: hint(false),
        idempotentHint: hint(true),
        openWorldHint: hint(false),
      },
      other: opaque,
    }),
    icons,
    execution: place({ text: "hint", other: opaque, known: { taskSupport: place({ text: "hint" }) } }),
    _meta: opaque,
  },
  other: opaque,
});

const prompt = place({
  text: "opaque",
  known: {
    name: identity,
    title: prose,
    description: prose,
    arguments: place({
      is: "schemas",
      text: "contract",
      items: place({
        text: "opaque",
        known: { name: identity, title: prose, description: prose, required: contract },
        other: opaque,
      }),
    }),
    icons,
    _meta: opaque,
  },
  other: opaque,
});

const resource = place({
  text: "opaque",
  known: {
    uri: identity,
    uriTemplate: identity,
    name: identity,
    title: prose,
    description: prose,
    mimeType: media,
    size: contract,
    annotations: place({ text: "hint", other: opaque, known: { audience: set, lastModified: media, priority: flag } }),
    icons,
    _meta: opaque,
  },
  other: opaque,
});

const info = place({
  text: "opaque",
  known: { name: identity, title: prose, version: identity, description: prose, websiteUrl: link, icons },
  other: opaque,
});

const server = place({
  text: "opaque",
  known: {
    serverInfo: info,
    capabilities: place({ text: "prose", scalar: "contract", key: "contract", annotation: "strings" }),
    _meta: place({ text: "opaque", known: { "io.modelcontextprotocol/serverInfo": info }, other: opaque }),
  },
  other: opaque,
});

/** What a skill or a command may do without a question: more of it loosens, and without it there is nothing. */
const granted = place({ is: "set", text: "hint", loose: "higher", absent: "nothing" });

/** Files by their path. A digest stands for what is in one, which may stand beside it. */
const files = place({
  text: "opaque",
  key: "identity",
  other: place({
    text: "opaque",
    known: { sha256: contract, size: contract, link: identity, unread: contract, text: prose },
    other: opaque,
  }),
});

const skill = place({
  text: "prose",
  scalar: "opaque",
  known: {
    name: identity,
    description: prose,
    "allowed-tools": granted,
    files,
  },
  other: opaque,
});

/** A tool's own fields, by the names of several formats; whatever no table knows is judged as prose. */
const claim = place({
  text: "opaque",
  known: {
    ...{ name: identity, id: identity, operationId: identity, version: identity, name_for_model: identity },
    ...{ title: prose, display_name: prose, summary: prose, description: prose, long_description: prose, text: prose },
    ...{ description_for_model: prose, description_for_human: prose },
    ...{ inputSchema: schema, outputSchema: schema, "allowed-tools": granted, files, icons },
  },
  other: opaque,
});

/**
 * What a prompt or a resource holds. No plan masks any of it: it is nothing but text, and whoever asks for it asks for that.
 *
 * @param said the role of the text itself
 */
function held(said: Role): Place {
  const text = place({ text: said, scalar: "opaque" });
  const rest = place({ text: "prose", scalar: "opaque" });
  const resource = place({
    text: "opaque",
    known: { uri: identity, mimeType: media, text, blob: media, _meta: rest },
    other: rest,
  });
  const content = place({
    text: said,
    known: { type: contract, text, data: media, mimeType: media, uri: identity, name: text, resource, _meta: rest },
    other: rest,
  });
  return place({
    text: "opaque",
    known: {
      description: text,
      messages: place({
        text: "opaque",
        items: place({ text: "opaque", known: { role: contract, content }, other: rest }),
      }),
      contents: place({ text: "opaque", items: resource }),
      _meta: rest,
    },
    other: rest,
  });
}

const body = held("prose");
/** Markup and scripts, which a browser reads. */
const view = held("media");

/** Where a definition of `kind` begins. */
export function rootPlace(kind: Kind): Place {
  switch (kind) {
    case "tool":
    case "sampled-tool":
      return tool;
    case "prompt":
      return prompt;
    case "resource":
    case "template":
      return resource;
    case "instructions":
      return prose;
    case "server":
      return server;
    case "skill":
      return skill;
    case "claim":
      return claim;
    case "body":
      return body;
    case "view":
      return view;
    case "launch":
      return contract;
  }
}

export function memberPlace(at: Place, key: string): Place {
  return at.known.get(key) ?? at.other;
}
