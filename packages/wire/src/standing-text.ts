import { type Answered, type Json, memberOf, type Offer, readJson } from "@countersign/core";

/** Text that stands behind a handle: whoever asks for it twice gets the same, so it is pinned like the handle. */
export interface StandingText extends Pick<Answered, "kind" | "name"> {
  /** The request for it, and the members of its `params` as JSON text. */
  readonly method: "prompts/get" | "resources/read";
  readonly params: readonly string[];
}

/**
 * What a prompt gives that takes no arguments. With arguments it is the result of a call.
 *
 * @param definition as the host is shown it
 */
function textOfPrompt(name: string, definition: Json): StandingText | undefined {
  const takes = memberOf(definition, "arguments");
  if (takes !== undefined && !(takes.is === "array" && takes.items.length === 0)) return undefined;
  return {
    kind: "body",
    name: `prompts/get ${name}`,
    method: "prompts/get",
    params: [`"name":${JSON.stringify(name)}`],
  };
}

/**
 * What a resource holds that is a part of a skill or of an app. Skills may have any scheme, and then their SKILL.md has that
 * name; what else belongs to such a one is not known. Any other resource is data.
 */
export function textOfResource(uri: string): StandingText | undefined {
  const kind = /^ui:/i.test(uri) ? "view" : /^skill:|\/SKILL\.md(?:[?#]|$)/i.test(uri) ? "body" : undefined;
  if (kind === undefined) return undefined;
  return { kind, name: `resources/read ${uri}`, method: "resources/read", params: [`"uri":${JSON.stringify(uri)}`] };
}

/** The standing text behind what an offer holds. Behind a template there may be more, which nobody can list. */
export function textsBehind({ source, definitions }: Offer): readonly StandingText[] {
  const behind = definitions.map(({ address: { kind, name }, json }) => {
    if (source === "prompts/list" && kind === "prompt") return textOfPrompt(name, json);
    return source === "resources/list" && kind === "resource" ? textOfResource(name) : undefined;
  });
  return behind.filter((one) => one !== undefined);
}

/** The standing text that a request asks for, if it asks for any. */
export function textAskedFor(method: string, name: string, shown: string): StandingText | undefined {
  if (method === "resources/read") return textOfResource(name);
  if (method !== "prompts/get") return undefined;
  const reading = readJson(shown);
  // INVARIANT: what the host is shown was read when it was approved, or just now.
  if (reading.is === "refused") throw new Error(`Cannot read an approved prompt: ${reading.refusal.code}`);
  return textOfPrompt(name, reading.json);
}
