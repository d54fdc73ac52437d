import { type Json, type Kind, lists, memberOf, type Source } from "@countersign/core";
import { looseKeyAmong } from "./loose-key.ts";

/**
 * Every method that may cross, over the revisions 2024-11-05 to 2026-07-28, and what has to hold first. A method that is
 * not here is refused in both directions, unless the operator allows it.
 */
export type HostMethod =
  /** Carries definitions: its result is held, judged and made anew. */
  | { readonly is: "source"; readonly source: Source }
  /** Names a definition, which must be bound. */
  | { readonly is: "use"; readonly of: (params: Json | undefined) => Use | undefined }
  | { readonly is: "listen" }
  /** Its answer may hold the result of a call. */
  | { readonly is: "task" }
  | { readonly is: "plain" };

/** A definition that a request uses. A resource may be named by its uri or fall under a template. */
export interface Use {
  readonly kind: Extract<Kind, "tool" | "prompt" | "resource">;
  readonly name: string;
}

export const hostMethods: ReadonlyMap<string, HostMethod> = new Map<string, HostMethod>([
  ["initialize", { is: "source", source: "initialize" }],
  ["server/discover", { is: "source", source: "server/discover" }],
  ...[...lists.keys()].map((source): [string, HostMethod] => [source, { is: "source", source }]),
  ["tools/call", { is: "use", of: (params) => named("tool", memberOf(params, "name")) }],
  ["prompts/get", { is: "use", of: (params) => named("prompt", memberOf(params, "name")) }],
  ["resources/read", { is: "use", of: (params) => named("resource", memberOf(params, "uri")) }],
  ["resources/subscribe", { is: "use", of: (params) => named("resource", memberOf(params, "uri")) }],
  ["resources/unsubscribe", { is: "plain" }],
  ["completion/complete", { is: "use", of: (params) => completed(memberOf(params, "ref")) }],
  ["subscriptions/listen", { is: "listen" }],
  ["ping", { is: "plain" }],
  ["logging/setLevel", { is: "plain" }],
  ["tasks/get", { is: "task" }],
  ["tasks/list", { is: "plain" }],
  ["tasks/result", { is: "task" }],
  ["tasks/update", { is: "plain" }],
  ["tasks/cancel", { is: "plain" }],
]);

function named(kind: Use["kind"], name: Json | undefined): Use | undefined {
  return name?.is === "string" ? { kind, name: name.value } : undefined;
}

/** The resources of which a modern host wants to hear; undefined stands for what names none. */
export function subscribedIn(params: Json | undefined): readonly (Use | undefined)[] {
  const uris = memberOf(memberOf(params, "notifications"), "resourceSubscriptions");
  if (uris === undefined) return [];
  return uris.is === "array" ? uris.items.map((uri) => named("resource", uri)) : [undefined];
}

function completed(ref: Json | undefined): Use | undefined {
  if (looseReference(ref) !== undefined) return undefined;
  const type = memberOf(ref, "type");
  if (type?.is !== "string") return undefined;
  if (type.value === "ref/prompt") return named("prompt", memberOf(ref, "name"));
  if (type.value === "ref/resource") return named("resource", memberOf(ref, "uri"));
  return undefined;
}

const looseReference = looseKeyAmong("type", "name", "uri");

export const hostNotifications: ReadonlySet<string> = new Set([
  "notifications/initialized",
  "notifications/cancelled",
  "notifications/progress",
  "notifications/roots/list_changed",
  "notifications/tasks/status",
]);

/**
 * What a server may ask of a host once something of it is approved. `bare`: says nothing, so it passes before that too.
 * `elicitation`: a person is asked. `sampling`: a model is, with a prompt and tools; only where the operator allows it.
 */
export type ServerMethod = "bare" | "elicitation" | "sampling";

export const serverMethods: ReadonlyMap<string, ServerMethod> = new Map<string, ServerMethod>([
  ["ping", "bare"],
  ["roots/list", "bare"],
  ["elicitation/create", "elicitation"],
  ["sampling/createMessage", "sampling"],
]);

/** Whether a host may ask for it by a name that Countersign knows. */
export function isHostMethod(method: string): boolean {
  return hostMethods.has(method);
}

/** Whether results of the method are held and judged, whatever the operator allows. */
export function carriesDefinitions(method: string): boolean {
  return hostMethods.get(method)?.is === "source";
}

/** Notifications that carry nothing written for a reader, so they pass even before anything is approved. */
export const bareNotifications: ReadonlyMap<string, readonly Source[]> = new Map<string, readonly Source[]>([
  ["notifications/tools/list_changed", ["tools/list"]],
  ["notifications/prompts/list_changed", ["prompts/list"]],
  ["notifications/resources/list_changed", ["resources/list", "resources/templates/list"]],
]);

export const serverNotifications: ReadonlySet<string> = new Set([
  "notifications/cancelled",
  "notifications/progress",
  "notifications/message",
  "notifications/resources/updated",
  "notifications/elicitation/complete",
  "notifications/tasks/status",
  "notifications/tasks",
  "notifications/subscriptions/acknowledged",
]);

/** The notification that tells a host to ask for a list again. */
export function changeOf(source: Source): string | undefined {
  for (const [method, of] of bareNotifications) if (of.includes(source)) return method;
  return undefined;
}

/** The capability under which a server offers a list. */
export function capabilityOf(source: Source): string | undefined {
  switch (source) {
    case "tools/list":
      return "tools";
    case "prompts/list":
      return "prompts";
    case "resources/list":
    case "resources/templates/list":
      return "resources";
    case "initialize":
    case "server/discover":
    case "bodies":
    case "launch":
    case "manifest":
      return undefined;
  }
}
