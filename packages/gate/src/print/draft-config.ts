import { addressKey, type Digest, type ServerName, visible } from "@countersign/core";
import type { Draft, Drafted } from "@countersign/judge";

/** A config with the drafted texts, for a person to edit: what was changed is said in comments. */
export function draftConfig(server: ServerName, offer: Digest, drafted: readonly Drafted[]): string {
  const definitions = drafted.filter(({ texts, left }) => texts.length > 0 || left.length > 0);
  return [
    `// Drafted from what ${server} last offered: offer ${offer}.`,
    "// Edit it, and move it into your countersign.jsonc. Nothing changes before it is there, and then all of it waits to be approved:",
    `// countersign review ${server}`,
    "{",
    '  "servers": {',
    `    ${literal(server)}: {`,
    '      "definitions": {',
    ...definitions.flatMap(definitionLines),
    "      },",
    "    },",
    "  },",
    "}",
    "",
  ].join("\n");
}

function definitionLines({ address, texts, left }: Drafted): readonly string[] {
  const unsettable = new Set(
    left.map(({ rule, at }) => `// ${rule} still speaks at ${visible(at)}: no text can be set there`),
  );
  return [
    `        ${literal(addressKey(address))}: {`,
    ...[...unsettable].map((line) => `          ${line}`),
    '          "set": {',
    ...texts.flatMap(textLines),
    "          },",
    "        },",
  ];
}

function textLines({ at, is, text, rules }: Draft): readonly string[] {
  const setting = `            ${literal(at)}: ${literal(text)},`;
  switch (is) {
    case "kept":
      return [setting];
    case "cut":
      return [`            // without what ${rules.join(", ")} spoke against`, setting];
    case "neutral":
      return [`            // nothing of the server's was left: ${rules.join(", ")}`, setting];
  }
}

/** JSON in which nothing is hidden: what a terminal or an editor would not show is written as an escape. */
function literal(text: string): string {
  let shown = "";
  for (const character of JSON.stringify(text)) {
    shown += visible(character) === character ? character : escaped(character);
  }
  return shown;
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, at) => {
    return `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`;
  }).join("");
}
