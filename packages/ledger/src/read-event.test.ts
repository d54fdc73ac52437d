import { readJson } from "@countersign/core";
import { describe, expect, test } from "vitest";
import { readEvent } from "./read-event.ts";

const digest = `cs1:sha256:${"0".repeat(64)}`;
const seen = `{"kind":"tool","name":"read","received":"${digest}"}`;
const approved =
  `{"kind":"tool","name":"read","received":"${digest}","contract":"${digest}","rendered":"${digest}",` +
  `"plan":{"prose":"as-sent"},"acknowledged":[{"rule":"html-comment"}]}`;

function read(text: string) {
  const reading = readJson(text);
  if (reading.is === "refused") throw new RangeError(`${text} is not JSON`);
  return readEvent(reading.json);
}

describe("readEvent()", () => {
  test.each([
    [
      "sighted",
      `{"is":"sighted","server":"a","source":"tools/list","offer":"${digest}","definitions":[],"malformed":[]}`,
    ],
    [
      "sighted, some of it malformed",
      `{"is":"sighted","server":"a","source":"initialize","offer":"${digest}","definitions":[${seen}],"malformed":[` +
        `{"index":0,"kind":"tool","faults":[{"code":"MISSING","at":"/name"}]},` +
        `{"index":1,"kind":"tool","name":"x","faults":[]}]}`,
    ],
    [
      "approved",
      `{"is":"approved","server":"a","definitions":[${approved}],"by":"ada","reason":"","ruleset":"${digest}",` +
        `"policy":"${digest}","expires":1,"offer":"${digest}","unseen":true}`,
    ],
    ["rejected", `{"is":"rejected","server":"a","definitions":[${seen}],"by":"ada","reason":"no"}`],
    ["revoked", `{"is":"revoked","server":"a","definitions":[${seen}],"by":"ada"}`],
    ["bypassed", '{"is":"bypassed","server":"a","until":3600000,"by":"ada","reason":"two in the morning"}'],
    ["enforced", '{"is":"enforced","server":"a","by":"ada"}'],
    [
      "added as a key",
      `{"is":"key-added","key":"abcDEF12","name":"ci@build","hash":"sha256:${"0".repeat(64)}","by":"ada",` +
        '"servers":["a","b"],"expires":3600000,"reason":"for the build"}',
    ],
    ["revoked as a key", '{"is":"key-revoked","key":"abcDEF12","by":"ada"}'],
  ])("reads what was %s, all of it", (_, text) => {
    expect(read(text)).toEqual({ is: "event", event: JSON.parse(text) });
  });

  test.each([
    ["null", ["event.is: not one of sighted, approved, rejected, revoked, bypassed, enforced, key-added, key-revoked"]],
    [
      '{"is":"toString"}',
      ["event.is: not one of sighted, approved, rejected, revoked, bypassed, enforced, key-added, key-revoked"],
    ],
    ['{"is":"revoked"}', ["event.server: missing", "event.definitions: missing", "event.by: missing"]],
    [
      `{"is":"revoked","server":"a b","definitions":[{"kind":"tools","name":1,"received":"sha256:0"}],"by":"","why":"\\u202e"}`,
      [
        "event.server: not a server name",
        "event.definitions[0].kind: not one of tool, prompt, resource, template, instructions, server, skill, body, view, launch, claim, sampled-tool",
        "event.definitions[0].name: not text",
        "event.definitions[0].received: not a digest",
        "event.by: not text",
        'event: unknown key "why"',
      ],
    ],
    [
      `{"is":"rejected","server":"a","definitions":[${seen},${seen}],"by":"ada"}`,
      ["event.definitions: two of one kind and name"],
    ],
    ['{"is":"rejected","server":"a","definitions":[],"by":"ada"}', ["event.definitions: empty"]],
    [
      '{"is":"bypassed","server":"a","until":-1,"by":"ada","definitions":[]}',
      ["event.until: not a whole number", 'event: unknown key "definitions"'],
    ],
    ['{"is":"enforced","server":"a","until":1}', ['event: unknown key "until"', "event.by: missing"]],
    [
      '{"is":"key-added","key":"../../x1","name":"a b","hash":"sha256:00","by":"ada","servers":["b","a"],"secret":"x"}',
      [
        "event.key: not a key's identifier",
        "event.name: not a key's name",
        "event.hash: not a key's hash",
        "event.servers: empty, not sorted, or one server twice",
        'event: unknown key "secret"',
      ],
    ],
    ['{"is":"key-revoked","name":"ci","by":"ada"}', ['event: unknown key "name"', "event.key: missing"]],
    ['{"is":"rejected","server":"a","definitions":{},"by":"ada"}', ["event.definitions: not a list"]],
    [
      `{"is":"rejected","server":"a","definitions":[${seen}],"by":"ada","__proto__":null,"a\\u202e":1}`,
      ['event: unknown key "__proto__"', 'event: unknown key "a⟦U+202E⟧"'],
    ],
    [
      `{"is":"approved","server":"a","by":"ada","ruleset":"${digest}","policy":"${digest}","expires":1.5,"unseen":false,` +
        `"definitions":[${approved.replace("as-sent", "thawed").replace('[{"rule":"html-comment"}]', "[{}]")}]}`,
      [
        "event.expires: not a whole number",
        "event.unseen: not true",
        "event.definitions[0].plan.prose: not one of as-sent, frozen, stripped",
        "event.definitions[0].acknowledged[0].rule: missing",
      ],
    ],
  ])("refuses %s", (text, problems) => {
    expect(read(text)).toEqual({ is: "refused", problems });
  });
});
