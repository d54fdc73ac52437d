import fc from "fast-check";

/** Values as `JSON.parse` makes them. Many keys are ones that definitions have, so that every kind of place is met. */
export type Value = null | boolean | number | string | Value[] | { [key: string]: Value };

const knownKeys = [
  ...["name", "title", "description", "inputSchema", "annotations", "_meta", "icons", "arguments", "allowed-tools"],
  ...["readOnlyHint", "destructiveHint", "serverInfo", "capabilities", "type", "properties", "required", "enum"],
  ...["additionalProperties", "minimum", "maximum", "anyOf", "items", "default", "examples", "const", "$defs"],
  ...["__proto__", "constructor", "toJSON", "", "a/b", "m~n", "~1", "0", "1", "10"],
];
const key = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...knownKeys) },
  { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
);
const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("object", "string", "Never twice.", "Twice."));
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.constantFrom(0, 1, 1e21, 1e-7),
);
export const { value } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc
    .oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom(null, true, false),
      number,
      { weight: 2, arbitrary: text },
      { weight: 2, arbitrary: fc.array(tie("value"), { maxLength: 4, size: "medium" }) },
      {
        weight: 6,
        arbitrary: fc
          .uniqueArray(fc.tuple(key, tie("value")), { maxLength: 5, size: "medium", selector: ([name]) => name })
          .map((entries) => Object.fromEntries(entries)),
      },
    )
    .map((one) => (Object.is(one, -0) ? 0 : one)),
}));

/** Definitions as servers write them, most of them; with `value` in the places where anything may stand. */
const { schema } = fc.letrec<{ schema: Value }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.boolean(),
    fc.record(
      {
        type: fc.constantFrom<Value>("object", "string", ["string", "null"]),
        description: text,
        required: fc.subarray<Value>(["a", "b", "c"]),
        enum: fc.shuffledSubarray<Value>(["x", "y", 1, null]),
        properties: fc.dictionary(key, tie("schema"), { maxKeys: 3 }),
        anyOf: fc.array(tie("schema"), { maxLength: 2 }),
        items: tie("schema"),
        additionalProperties: tie("schema"),
        minimum: fc.integer({ min: 0, max: 3 }),
        maxLength: fc.integer({ min: 0, max: 3 }),
        default: value,
      },
      { requiredKeys: [] },
    ),
  ),
}));
export const definition = fc
  .record(
    {
      name: text,
      title: text,
      description: text,
      inputSchema: schema,
      annotations: fc.record(
        { readOnlyHint: fc.boolean(), destructiveHint: fc.boolean(), title: text },
        { requiredKeys: [] },
      ),
      arguments: fc.array(fc.record({ name: text, required: fc.boolean() }), { maxLength: 2 }),
      icons: fc.array(fc.record({ src: text }), { maxLength: 2 }),
      serverInfo: fc.record({ name: text, version: text }),
      _meta: value,
    },
    { requiredKeys: ["inputSchema", "annotations"] },
  )
  .map((one) => JSON.parse(JSON.stringify(one)) as Value);
