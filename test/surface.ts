/**
 * Every place at which a server can say something before, or without, a call of a tool, and who reads it there: `model` as
 * a rule, `person` in a host's dialogs, `wire` where a host shows what it does not know. tools/check-coverage.ts finds out what
 * becomes of each, and writes docs/coverage.md.
 */
export type SurfaceRow = Carried | Handled;

/** A place of a definition. */
export interface Carried {
  readonly is: "carried";
  readonly request: Request;
  /** As a reader would say it. */
  readonly path: string;
  readonly reader: "model" | "person" | "wire";
  /** JSON Pointers into the result; what is not there is put there. */
  readonly at: readonly string[];
  /** The last part of the pointer is what the server chooses. */
  readonly key?: true;
  /** Two values, where the protocol knows no others. */
  readonly values?: readonly [unknown, unknown];
  readonly shownBy: readonly string[];
}

/** What is no definition. */
export interface Handled {
  readonly is: "handled";
  readonly request: string;
  readonly path: string;
  readonly reader: "model" | "person" | "wire";
  readonly becomes: string;
  readonly shownBy: readonly string[];
}

export type Request = keyof typeof results;

/** The least that each request is answered with. */
export const results = {
  initialize: { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "notes", version: "1" } },
  "server/discover": {
    supportedVersions: ["2026-07-28"],
    capabilities: {},
    _meta: { "io.modelcontextprotocol/serverInfo": { name: "notes", version: "1" } },
  },
  "tools/list": {
    tools: [
      {
        name: "search",
        inputSchema: { type: "object", properties: { city: {} }, additionalProperties: false },
        outputSchema: { type: "object", properties: { city: {} } },
      },
    ],
  },
  "prompts/list": { prompts: [{ name: "daily", arguments: [{ name: "day" }] }] },
  "resources/list": { resources: [{ uri: "notes://a", name: "a" }] },
  "resources/templates/list": { resourceTemplates: [{ uriTemplate: "notes://{a}", name: "a" }] },
  "prompts/get daily": { messages: [{ role: "user", content: { type: "text", text: "Sum up." } }] },
  "resources/read skill://a/SKILL.md": { contents: [{ uri: "skill://a/SKILL.md", text: "Sum up." }] },
  "resources/read ui://a": { contents: [{ uri: "ui://a", text: "<p>Sum.</p>" }] },
} as const;

const tool: Of = { request: "tools/list", shownBy: ["surface.tools", "changed.place"] };

export const surface: readonly SurfaceRow[] = [
  ...(["initialize", "server/discover"] as const).flatMap((request): readonly SurfaceRow[] => {
    const info = request === "initialize" ? "/serverInfo" : "/_meta/io.modelcontextprotocol~1serverInfo";
    const more = { request, shownBy: ["surface.handshake", "changed.place"] };
    return [
      carried(more, "model", "instructions", "/instructions"),
      ...["name", "title", "version", "description", "websiteUrl"].map((key) =>
        carried(more, "person", `serverInfo.${key}`, `${info}/${key}`),
      ),
      ...icons(more, "serverInfo.icons[]", `${info}/icons`),
      carried(more, "wire", "serverInfo, unknown keys", `${info}/x-note`),
      carried(more, "wire", "capabilities.experimental", "/capabilities/experimental/note/text"),
      carried(more, "wire", "capabilities.extensions, their settings", "/capabilities/extensions/a.example~1b/text"),
      carried(more, "wire", "capabilities, unknown ones", "/capabilities/x-note/text"),
      key(more, "wire", "capabilities, names of unknown ones", "/capabilities/name"),
      only(more, "wire", "capabilities.*.listChanged", "/capabilities/tools/listChanged", true, false),
      carried(more, "wire", "_meta", "/_meta/note"),
      carried(more, "wire", "unknown keys of the result", "/x-note"),
    ];
  }),
  handled("initialize, server/discover", "protocolVersion, supportedVersions[]", "wire", {
    becomes: "passes as a date; anything else is pinned with the result",
    shownBy: ["surface.handshake", "core.offer"],
  }),

  ...named("tools/list", "tools[]", "/tools/0", ["name", "title", "description"], "surface.tools"),
  ...[
    carried(tool, "model", "tools[].annotations.title", "/tools/0/annotations/title"),
    ...["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"].map((hint) =>
      only(tool, "person", `tools[].annotations.${hint}`, `/tools/0/annotations/${hint}`, true, false),
    ),
    carried(tool, "person", "tools[].annotations, unknown keys", "/tools/0/annotations/x-note"),
    only(tool, "wire", "tools[].execution.taskSupport", "/tools/0/execution/taskSupport", "required", "optional"),
    carried(tool, "wire", "tools[].execution, unknown keys", "/tools/0/execution/x-note"),
    ...[
      "ui/resourceUri",
      "openai/outputTemplate",
      "openai/toolInvocation/invoking",
      "io.modelcontextprotocol/display-template",
      "io.modelcontextprotocol/tool-resolution",
    ].map((one) => carried(tool, "person", `tools[]._meta["${one}"]`, `/tools/0/_meta/${one.replaceAll("/", "~1")}`)),
    carried(tool, "person", "tools[]._meta.ui.resourceUri", "/tools/0/_meta/ui/resourceUri"),
    carried(tool, "person", "tools[]._meta.ui.visibility[]", "/tools/0/_meta/ui/visibility/0"),
    key(tool, "wire", "tools[]._meta, names", "/tools/0/_meta/name"),
    carried(tool, "wire", "tools[].humanReadableDescription", "/tools/0/humanReadableDescription"),
    key(tool, "wire", "tools[], names of unknown keys", "/tools/0/name of a key"),
  ],
  ...schemas([
    ...["title", "description", "$comment", "contentMediaType", "contentEncoding", "format", "pattern"].map(
      (word) => [word, word] as const,
    ),
    ...["$ref", "$dynamicRef", "$id", "$anchor", "$dynamicAnchor", "$schema"].map((word) => [word, word] as const),
    ...["deprecated", "readOnly", "writeOnly"].map((word) => [`${word}, as a text`, word] as const),
    ["default", "default"],
    ["default, within", "default/a/0"],
    ["examples[]", "examples/0"],
    ["enumNames[]", "enumNames/0"],
    ["enum[]", "enum/0"],
    ["enum[], within", "enum/0/a"],
    ["const", "const"],
    ["const, within", "const/a/0"],
    ["required[]", "required/0"],
    ["type, as a text", "type"],
    ["dependentRequired.*[]", "dependentRequired/city/0"],
    ["x-mcp-header", "x-mcp-header"],
    ["x-*, unknown keywords", "x-note"],
    ["unknown keywords, within", "x-note/deep/0/description"],
    ["io.modelcontextprotocol/display-template, in a branch", "oneOf/0/io.modelcontextprotocol~1display-template"],
    ...[
      ...["properties/a", "patternProperties/a", "$defs/a", "definitions/a", "dependentSchemas/a", "dependencies/a"],
      ...["allOf/0", "anyOf/0", "oneOf/0", "prefixItems/0", "items", "items/0", "additionalItems", "contains", "not"],
      ...["if", "then", "else", "additionalProperties", "propertyNames", "unevaluatedItems", "unevaluatedProperties"],
      "contentSchema",
    ].map(
      (where) => [`${where.replace(/\/a$/, ".*").replace(/\/0$/, "[]")}.description`, `${where}/description`] as const,
    ),
  ]),
  ...schemaKeys([
    ...["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"],
    ...["dependentRequired", "$vocabulary"],
  ]),

  ...named("prompts/list", "prompts[]", "/prompts/0", ["name", "title", "description"], "surface.prompts"),
  ...["name", "title", "description", "x-note"].map((word) =>
    carried(
      { request: "prompts/list", shownBy: ["surface.prompts", "changed.place"] },
      "model",
      `prompts[].arguments[].${word}`,
      `/prompts/0/arguments/0/${word}`,
    ),
  ),
  ...(
    [
      ["resources/list", "resources[]", "/resources/0", "uri"],
      ["resources/templates/list", "resourceTemplates[]", "/resourceTemplates/0", "uriTemplate"],
    ] as const
  ).flatMap(([request, path, at, uri]): readonly SurfaceRow[] => {
    const more = { request, shownBy: ["surface.resources", "changed.place"] };
    return [
      ...named(request, path, at, [uri, "name", "title", "description", "mimeType"], "surface.resources"),
      only(more, "wire", `${path}.annotations.audience[]`, `${at}/annotations/audience/0`, "user", "assistant"),
      only(
        more,
        "wire",
        `${path}.annotations.lastModified`,
        `${at}/annotations/lastModified`,
        "2026-01-01T00:00:00Z",
        "2026-01-02T00:00:00Z",
      ),
      only(more, "wire", `${path}.annotations.priority`, `${at}/annotations/priority`, 0.1, 1),
      only(more, "wire", `${path}.size`, `${at}/size`, 1, 2),
      carried(more, "person", `${path}.annotations, unknown keys`, `${at}/annotations/x-note`),
      carried(more, "person", `${path}._meta.ui.csp`, `${at}/_meta/ui/csp/connectDomains/0`),
      carried(more, "person", `${path}._meta.ui.permissions`, `${at}/_meta/ui/permissions/camera`),
      carried(more, "person", `${path}._meta.ui.domain`, `${at}/_meta/ui/domain`),
    ];
  }),
  ...(["tools/list", "prompts/list", "resources/list", "resources/templates/list"] as const).flatMap(
    (request): readonly SurfaceRow[] => {
      const more = { request, shownBy: ["surface.beside", "changed.place"] };
      return [
        carried(more, "wire", "_meta", "/_meta/note"),
        carried(more, "wire", "unknown keys of the result", "/x-note"),
        key(more, "wire", "names of unknown keys of the result", "/name of a key"),
      ];
    },
  ),
  handled("all lists", "nextCursor", "wire", {
    becomes: "never served: the host gets one page",
    shownBy: ["pages.one"],
  }),
  handled("all lists", "ttlMs, cacheScope", "wire", {
    becomes: "made 0 and private where the list is made anew",
    shownBy: ["served.uncached"],
  }),
  handled("every modern result", '_meta["io.modelcontextprotocol/serverInfo"]', "person", {
    becomes: "replaced by the operator's name, unless it is the approved one",
    shownBy: ["changed.place", "unapproved.silent"],
  }),

  ...carriedAll(
    { request: "prompts/get daily", shownBy: ["surface.bodies", "body.changed"] },
    "model",
    ["description", "/description"],
    ["messages[].content.text", "/messages/0/content/text"],
    ["messages[].content.data", "/messages/0/content/data"],
    ["messages[].content.resource.text", "/messages/0/content/resource/text"],
    ["messages[].content.annotations", "/messages/0/content/annotations/x-note"],
    ["messages[].content._meta", "/messages/0/content/_meta/note"],
    ["_meta", "/_meta/note"],
    ["unknown keys of the result", "/x-note"],
  ),
  ...(["resources/read skill://a/SKILL.md", "resources/read ui://a"] as const).flatMap((request) =>
    carriedAll(
      { request, shownBy: ["surface.bodies", "body.changed"] },
      request.includes("ui:") ? "person" : "model",
      ["contents[].text", "/contents/0/text"],
      ["contents[].blob", "/contents/0/blob"],
      ["contents[].uri", "/contents/0/uri"],
      ["contents[].mimeType", "/contents/0/mimeType"],
      ["contents[]._meta", "/contents/0/_meta/ui/domain"],
      ["unknown keys of the result", "/x-note"],
    ),
  ),
  handled("prompts/get with arguments", "description, messages[]", "model", {
    becomes: "passes as the result of a call, if the prompt is bound",
    shownBy: ["body.arguments", "first-sight.refused"],
  }),
  handled("resources/read of any other URI", "contents[]", "model", {
    becomes: "passes as the result of a call, if the resource or its template is bound",
    shownBy: ["body.arguments", "first-sight.refused"],
  }),
  handled("completion/complete", "completion.values[]", "person", {
    becomes: "passes, if the prompt or the resource is bound",
    shownBy: ["surface.completion"],
  }),
  handled("skills/list, skills/get", "frontmatter, uri, resources[].uri", "model", {
    becomes: "refused: unknown methods are",
    shownBy: ["surface.extensions"],
  }),
  handled("resources/directory/read", "resources[]", "model", {
    becomes: "refused: unknown methods are",
    shownBy: ["surface.extensions"],
  }),
  handled("any method that is not known", "anything", "wire", {
    becomes: "refused both ways",
    shownBy: ["methods.host", "methods.server"],
  }),
  ...(
    [
      ["notifications/message", "data, logger"],
      ["notifications/resources/updated", "uri"],
      ["notifications/tasks/status", "statusMessage"],
      ["notifications/cancelled", "reason"],
      ["notifications/progress", "message"],
    ] as const
  ).map(([request, path]) =>
    handled(request, `${path}, _meta`, "model", {
      becomes: "dropped until something of the server is approved; then it passes",
      shownBy: ["surface.notifications", "approved.first-words"],
    }),
  ),
  handled("notifications/*/list_changed", "_meta", "wire", {
    becomes: "made anew until something of the server is approved; then it passes",
    shownBy: ["unapproved.silent"],
  }),
  handled("errors", "error.message, error.data", "model", {
    becomes: "replaced until something of the server is approved; then they pass",
    shownBy: ["errors.unapproved", "errors.versions", "errors.approved"],
  }),
  handled("errors", "-32042: data.elicitations[].message, url", "person", {
    becomes: "replaced until something of the server is approved; then they pass",
    shownBy: ["errors.unapproved", "errors.approved"],
  }),
  handled("errors of Countersign's own", "error.message, error.data", "model", {
    becomes: "hold a reason and a review, and nothing that the server wrote",
    shownBy: ["refusal.words"],
  }),
  handled("stderr", "every line", "person", {
    becomes: "escaped, to the operator's log; never to the host",
    shownBy: ["stderr.escapes"],
  }),
  handled("HTTP", "error bodies, WWW-Authenticate, OAuth metadata", "person", {
    becomes: "out of reach: only servers on standard streams are guarded",
    shownBy: ["surface.out-of-reach"],
  }),
  handled("out of band", "server cards, catalogs, registries, bundles", "person", {
    becomes: "out of reach: Countersign reads none, and a host that does reads them by itself",
    shownBy: ["surface.out-of-reach"],
  }),
];

interface Of {
  readonly request: Request;
  readonly shownBy: readonly string[];
}

function carried(of: Of, reader: Carried["reader"], path: string, ...at: readonly string[]): Carried {
  return { is: "carried", ...of, path, reader, at };
}

function carriedAll(
  of: Of,
  reader: Carried["reader"],
  ...places: readonly (readonly [path: string, at: string])[]
): readonly Carried[] {
  return places.map(([path, at]) => carried(of, reader, path, at));
}

function key(of: Of, reader: Carried["reader"], path: string, ...at: readonly string[]): Carried {
  return { ...carried(of, reader, path, ...at), key: true };
}

/** Where the protocol knows no other values. */
function only(of: Of, reader: Carried["reader"], path: string, at: string, ...values: [unknown, unknown]): Carried {
  return { ...carried(of, reader, path, at), values };
}

function icons(of: Of, path: string, at: string): readonly Carried[] {
  return [
    ...carriedAll(of, "person", [`${path}.src`, `${at}/0/src`], [`${path}.mimeType`, `${at}/0/mimeType`]),
    carried(of, "wire", `${path}.sizes[]`, `${at}/0/sizes/0`),
    only(of, "wire", `${path}.theme`, `${at}/0/theme`, "light", "dark"),
    carried(of, "wire", `${path}, unknown keys`, `${at}/0/x-note`),
  ];
}

/** What definitions of every list have. */
function named(
  request: Request,
  path: string,
  at: string,
  keys: readonly string[],
  requirement: string,
): readonly Carried[] {
  const of = { request, shownBy: [requirement, "changed.place"] };
  return [
    ...keys.map((one) => carried(of, "model", `${path}.${one}`, `${at}/${one}`)),
    ...icons(of, `${path}.icons[]`, `${at}/icons`),
    carried(of, "wire", `${path}._meta`, `${at}/_meta/note`),
    carried(of, "wire", `${path}, unknown keys`, `${at}/x-note`),
  ];
}

/** Of both schemas of a tool, below a property of each. */
function schemas(words: readonly (readonly [path: string, at: string])[]): readonly Carried[] {
  const of = { request: "tools/list", shownBy: ["surface.schemas"] } as const;
  return words.map(([path, at]) =>
    carried(
      of,
      "model",
      `schemas, ${path}`,
      ...["inputSchema", "outputSchema"].map((schema) => `/tools/0/${schema}/properties/city/${at}`),
    ),
  );
}

function schemaKeys(words: readonly string[]): readonly Carried[] {
  return schemas(words.map((word) => [`names in ${word}`, `${word}/name`] as const)).map((row) => ({
    ...row,
    key: true,
  }));
}

function handled(
  request: string,
  path: string,
  reader: Handled["reader"],
  rest: Pick<Handled, "becomes" | "shownBy">,
): Handled {
  return { is: "handled", request, path, reader, ...rest };
}
