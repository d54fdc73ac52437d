import {
  addressKey,
  type Pointer,
  type Prose,
  type RawDefinition,
  type Setting,
  valueAt,
  visible,
} from "@countersign/core";
import { type Planned, type Policy, unplanned } from "@countersign/judge";
import { GateError } from "./gate-error.ts";

/** What somebody says of a plan while approving, in words. */
export interface PlanWords {
  readonly prose?: Prose;
  /** `<pointer>=<text>`. */
  readonly set?: readonly string[];
  readonly close?: boolean;
}

export function saysAnything({ prose, set, close }: PlanWords): boolean {
  return prose !== undefined || set !== undefined || close !== undefined;
}

/**
 * A policy under which the chosen definitions are planned as somebody says just now. What the config says of a definition
 * stands: an approval that differs from it would wait again at once.
 */
export function overridden(policy: Policy, chosen: readonly RawDefinition[], words: PlanWords): Policy {
  if (words.set !== undefined && chosen.length !== 1) {
    throw new GateError(
      "USAGE",
      `Cannot set texts in ${chosen.length} definitions at once; name one with --digest, or write its plan into the config`,
    );
  }
  const [only] = chosen;
  if (only !== undefined && chosen.length === 1 && unplanned.has(only.address.kind)) {
    throw new GateError("USAGE", `Cannot plan a ${only.address.kind}: it is approved as it is, or not at all`);
  }
  const definitions = new Map(policy.plans.definitions);
  for (const definition of chosen) {
    const key = addressKey(definition.address);
    const said = definitions.get(key);
    const planned: Planned = {
      ...(words.prose === undefined ? {} : { prose: words.prose }),
      ...(words.set === undefined ? {} : { set: settingsIn(words.set, definition) }),
      ...(words.close === undefined ? {} : { close: words.close }),
    };
    for (const part of ["prose", "set", "close"] as const) {
      const inConfig = said?.[part] ?? (part === "set" ? undefined : policy.plans[part]);
      if (planned[part] === undefined || inConfig === undefined) continue;
      throw new GateError(
        "USAGE",
        `Cannot plan "${visible(key)}" with --${part}: the config says what its ${part} is; change it there`,
      );
    }
    definitions.set(key, { ...said, ...planned });
  }
  return { ...policy, plans: { ...policy.plans, definitions } };
}

function settingsIn(words: readonly string[], { json }: RawDefinition): readonly Setting[] {
  const places = new Map<string, Setting["to"]>();
  for (const word of words) {
    const [, at, text] = /^(|\/[^=]*)=(.*)$/su.exec(word) ?? [];
    if (at === undefined || text === undefined || !text.isWellFormed() || places.has(at)) {
      throw new GateError(
        "USAGE",
        `Cannot read "${visible(word)}" as a text to set; write <JSON Pointer>=<text>, as in --set '/description=Sends a mail.', each place once`,
      );
    }
    places.set(at, valueLike(valueAt(json, at as Pointer)?.value.is, text));
  }
  return [...places].map(([at, to]) => ({ at: at as Pointer, to }));
}

/** Where a number or a flag stands, the text is read as one; render() says where it does not fit. */
function valueLike(is: string | undefined, text: string): Setting["to"] {
  if (is === "boolean" && (text === "true" || text === "false")) return text === "true";
  if (is === "number" && text.trim() !== "" && Number.isFinite(Number(text))) return Number(text);
  return text;
}
