/** Definitions that make much work for rules, each of about so many characters. What a pattern finds in a text is not their matter. */
export const adversarialDefinitions: readonly (readonly [what: string, make: (size: number) => object])[] = [
  ["a long key over many places", (n) => over("k".repeat(n / 2), "see ~/.ssh ".repeat(n / 22))],
  ["a long key over many requests", (n) => over("k/".repeat(n / 4), "the full conversation ".repeat(n / 44))],
  ["a long name over many calls", (n) => named("n_".repeat(n / 4), '{"name": "a", "arguments": '.repeat(n / 54))],
  ["a long name over many orders", (n) => named("n_".repeat(n / 4), "call `a_b` ".repeat(n / 22))],
  ["a long name over many arguments", (n) => named("n_".repeat(n / 4), "pass the chat as `a_b`. ".repeat(n / 46))],
  ["a long name over many ways out", (n) => named("n_".repeat(n / 4), "If it fails, use `a_b`. ".repeat(n / 46))],
  [
    "an order over many texts",
    (n) =>
      over(
        "k",
        "",
        many(n, 50, (index) => (index % 2 ? "Ignore all" : "instructions")),
      ),
  ],
  ["a name of combining marks", (n) => named("e\u0301\u0302".repeat(n / 3), "Reads.")],
  ["a name of letters that stand for many", (n) => named("\ufdfa".repeat(n), "Reads.")],
  ["a name of separators", (n) => named(`mcp__a${"_.".repeat(n / 2)}`, "Reads.")],
  ["small texts", (n) => schema({ enum: many(n, 10, (index) => `a ${index}`) })],
  ["small texts with something hidden", (n) => schema({ enum: many(n, 10, (index) => `\u200b${index}`) })],
  [
    "references into a circle",
    (n) => {
      const names = many(n, 110, (index) => `n${index}`);
      const $defs = Object.fromEntries(names.map((name, i) => [name, { anyOf: [{ $ref: `#/$defs/n${i + 1}` }, {}] }]));
      return schema({ additionalProperties: true, allOf: names.map((name) => ({ $ref: `#/$defs/${name}` })), $defs });
    },
  ],
  [
    "references into unknown keywords, from the inside out",
    (n) => {
      let inner: object = { anyOf: many(n, 28, () => ({ title: "One of many" })) };
      for (let depth = 0; depth < 60; depth++) inner = { allOf: [inner] };
      const references = Array.from({ length: 60 }, (_, index) => ({
        $ref: `#/x-own${"/allOf/0".repeat(60 - index)}`,
      }));
      return schema({ allOf: references, "x-own": inner });
    },
  ],
  [
    "references to a list",
    (n) => schema({ "x-own": many(n, 30, (index) => ({ $ref: `#/x-own/${(index * 7) % Math.floor(n / 30)}` })) }),
  ],
  ["anchors", (n) => schema({ allOf: many(n, 40, (index) => ({ $ref: `#a${index}`, $anchor: `a${index}` })) })],
  [
    "one identifier",
    (n) => schema({ anyOf: many(n, 60, (index) => ({ $id: "x", title: `t${index}`, anyOf: [{}, {}] })) }),
  ],
  [
    "words that seem to close",
    (n) => schema({ allOf: many(n, 60, () => ({ unevaluatedProperties: false, anyOf: [{ $ref: "#" }, {}] })) }),
  ],
  ["many members", (n) => schema(Object.fromEntries(many(n, 14, (index) => [`k${index}`, {}]) as [string, object][]))],
  ["required names", (n) => schema({ required: many(n, 8, (index) => `r${index}`) })],
  ["patterns that run side by side", (n) => ({ name: "a", inputSchema: propertiesOf(many(n, 60, sideBySide)) })],
  ["patterns of many classes", (n) => schema({ pattern: "[a-f]?[g-k]".repeat(Math.min(n, 60_000) / 11) })],
  [
    "patterns in patterns",
    (n) => ({
      name: "a",
      inputSchema: propertiesOf(many(n, 280, (i) => ({ pattern: `${"(".repeat(49)}a${")?".repeat(49)}${i}` }))),
    }),
  ],
];

function many(size: number, each: number, make: (index: number) => unknown): readonly unknown[] {
  return Array.from({ length: Math.floor(size / each) }, (_, index) => make(index));
}

export function propertiesOf(members: readonly unknown[]): object {
  return { type: "object", properties: Object.fromEntries(members.map((member, index) => [`p${index}`, member])) };
}

/** Two loops that come together only after 28,000 laps, in a few characters. */
export function sideBySide(index: number): object {
  return { pattern: `(?:(?:a{${150 + (index % 40)}})*x|(?:a{${180 + (index % 9)}})*y)*${index}` };
}

function over(key: string, description: string, others: readonly unknown[] = []): object {
  const more = others.map((one, index) => [`${key}${index}`, { description: one }] as const);
  return {
    name: "a",
    inputSchema: { type: "object", properties: { [key]: { description }, ...Object.fromEntries(more) } },
  };
}

export function named(name: string, description: string): object {
  return { name, description, inputSchema: { type: "object" } };
}

export function schema(members: object): object {
  return { name: "send", inputSchema: { type: "object", ...members } };
}
