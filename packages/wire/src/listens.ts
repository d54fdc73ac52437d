import { type Json, memberOf } from "@countersign/core";
import type { Frame, Id } from "./frame.ts";
import { bareNotifications } from "./methods.ts";

/** The streams on which a modern host hears of changes: its open `subscriptions/listen` requests. */
export class Listens {
  /** By the id's key. What is wanted: the members of `notifications` that are true. */
  readonly #open = new Map<string, { readonly id: Id; readonly wants: ReadonlySet<string> }>();

  open(id: Id, params: Json | undefined): void {
    this.#open.set(id.key, { id, wants: wantsIn(params) });
  }

  close(key: string): void {
    this.#open.delete(key);
  }

  /** One message for each stream that wants to hear of this change. */
  changes(method: string): readonly string[] {
    return [...this.#open.values()]
      .filter(({ wants }) => wants.has(wantOf(method)))
      .map(({ id }) => `{"jsonrpc":"2.0","method":"${method}","params":{${metaFor(id)}}}`);
  }

  /** The acknowledgement that a host waits for, made anew, with nothing in it that the server wrote. */
  acknowledgement(frame: Extract<Frame, { is: "notification" }>): string | undefined {
    const id = memberOf(memberOf(frame.params, "_meta"), subscriptionKey);
    const listen = id === undefined ? undefined : this.#open.get(idKeyOf(frame.text, id) ?? "");
    if (listen === undefined) return undefined;
    const wants = [...listen.wants].map((want) => `"${want}":true`);
    const params = `${metaFor(listen.id)},"notifications":{${wants.join(",")}}`;
    return `{"jsonrpc":"2.0","method":"${frame.method}","params":{${params}}}`;
  }
}

/** The key of an id that stands somewhere in a message; undefined for what is no id. */
function idKeyOf(text: string, json: Json): string | undefined {
  if (json.is === "string") return JSON.stringify(json.value);
  return json.is === "number" ? text.slice(json.start, json.end) : undefined;
}

/** The key of the id that a `notifications/cancelled` names; that of no id where it names none. */
export function cancelledIn({ params, text }: Extract<Frame, { is: "notification" }>): string {
  const id = memberOf(params, "requestId");
  return (id === undefined ? undefined : idKeyOf(text, id)) ?? "";
}

/** Where the notifications of one `subscriptions/listen` say which. */
const subscriptionKey = "io.modelcontextprotocol/subscriptionId";

function metaFor(id: Id): string {
  return `"_meta":{"${subscriptionKey}":${id.text}}`;
}

/** `notifications/tools/list_changed` is wanted by `toolsListChanged`. */
function wantOf(method: string): string {
  return `${method.split("/")[1]}ListChanged`;
}

function wantsIn(params: Json | undefined): ReadonlySet<string> {
  const filter = memberOf(params, "notifications");
  const wants = new Set<string>();
  for (const method of bareNotifications.keys()) {
    const wanted = memberOf(filter, wantOf(method));
    if (wanted?.is === "boolean" && wanted.value) wants.add(wantOf(method));
  }
  return wants;
}
