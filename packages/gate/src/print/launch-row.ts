import { type Digest, type Json, memberOf, type RawDefinition } from "@countersign/core";

/** How a server is reached, as every output shows it. */
export interface LaunchRow {
  readonly received: Digest;
  /** The command line, or the URL, without its secrets. */
  readonly words: string;
  /** docs/format.md §5. */
  readonly definition: unknown;
  /** Why it can start another program without a change in its words. Empty where it is pinned. */
  readonly floating: readonly string[];
}

export function launchRow(launch: RawDefinition): LaunchRow {
  const { received, text, json } = launch;
  return { received, words: wordsOf(json), definition: JSON.parse(text), floating: floatingIn(launch) };
}

/** Codes of our own; none for any other kind of definition. */
export function floatingIn({ address, json }: Pick<RawDefinition, "address" | "json">): readonly string[] {
  const codes = address.kind === "launch" ? memberOf(json, "floating") : undefined;
  return codes?.is === "array" ? codes.items.flatMap((one) => (one.is === "string" ? [one.value] : [])) : [];
}

export function wordsOf(launch: Json): string {
  const url = memberOf(launch, "url");
  if (url !== undefined) return quoted(url);
  const args = memberOf(launch, "args");
  return [memberOf(launch, "command"), ...(args?.is === "array" ? args.items : [])].map(quoted).join(" ");
}

/** Words with a space in them are told apart from two words. */
export function quoted(json: Json | undefined): string {
  if (json?.is !== "string") return "";
  return /^[^\s"']+$/.test(json.value) ? json.value : JSON.stringify(json.value);
}
