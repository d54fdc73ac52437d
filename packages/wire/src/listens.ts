import { type Json, memberOf } from "@countersign/core";
import type { Frame } from "./frame.ts";
import type { Pending } from "./host-requests.ts";
import { bareNotifications } from "./methods.ts";
import { type Splice, spliced } from "./splice.ts";

type Notification = Extract<Frame, { is: "notification" }>;

/** One `subscriptions/listen`. What is wanted: the members of `notifications` that are true. */
interface Listen {
  readonly request: Pending;
  readonly wants: ReadonlySet<string>;
  acknowledged: boolean;
}

/** A message on the stream of one `subscriptions/listen`. */
export interface OnStream {
  readonly text: string;
  readonly request: Pending;
}

/** The streams on which a modern host hears of changes: its open `subscriptions/listen` requests. */
export class Listens {
  /** By the key under which the server knows the request. */
  readonly #open = new Map<string, Listen>();

  open(request: Pending, params: Json | undefined): void {
    this.#open.set(request.key, { request, wants: wantsIn(params), acknowledged: false });
  }

  close(key: string): void {
    this.#open.delete(key);
  }

  /** One message for each stream that wants to hear of this change. Before its acknowledgement a host expects none. */
  changes(method: string): readonly OnStream[] {
    return [...this.#open.values()]
      .filter(({ wants, acknowledged }) => acknowledged && wants.has(wantOf(method)))
      .map(({ request }) => ({
        text: `{"jsonrpc":"2.0","method":"${method}","params":{${metaFor(request)}}}`,
        request,
      }));
  }

  /** A notification of the server's own, as the host of its stream knows it; undefined where it names no open stream. */
  onStream(frame: Notification, splices: readonly Splice[] = []): OnStream | undefined {
    const id = subscriptionIn(frame);
    const request = this.#listenOf(frame)?.request;
    if (id === undefined || request === undefined) return undefined;
    return {
      text: spliced(frame.text, [...splices, { start: id.start, end: id.end, text: request.id.text }]),
      request,
    };
  }

  /** Whether a notification of the server's own is on a stream where the host hears of such changes. */
  hears(frame: Notification): boolean {
    return this.#listenOf(frame)?.wants.has(wantOf(frame.method)) ?? false;
  }

  /** The server has acknowledged a stream: from now on its host hears of changes. */
  begin(frame: Notification): void {
    const listen = this.#listenOf(frame);
    if (listen !== undefined) listen.acknowledged = true;
  }

  /** The acknowledgement that a host waits for, made anew, with nothing in it that the server wrote. */
  acknowledgement(frame: Notification): OnStream | undefined {
    const listen = this.#listenOf(frame);
    return listen === undefined ? undefined : acknowledgementOf(listen);
  }

  /**
   * Keeps a stream open that the server has refused, for what Countersign has to say on it. Returns the acknowledgement that
   * the host gets instead; undefined where it would hear of nothing.
   */
  adopt(key: string): OnStream | undefined {
    const listen = this.#open.get(key);
    if (listen === undefined || listen.acknowledged || listen.wants.size === 0) return undefined;
    listen.acknowledged = true;
    return acknowledgementOf(listen);
  }

  #listenOf(frame: Notification): Listen | undefined {
    const id = subscriptionIn(frame);
    return id === undefined ? undefined : this.#open.get(idKeyOf(frame.text, id) ?? "");
  }
}

/** What a modern host waits for before it believes that it is listening. */
export const acknowledged = "notifications/subscriptions/acknowledged";

function acknowledgementOf({ request, wants }: Listen): OnStream {
  const notifications = [...wants].map((want) => `"${want}":true`).join(",");
  const params = `{${metaFor(request)},"notifications":{${notifications}}}`;
  return { text: `{"jsonrpc":"2.0","method":"${acknowledged}","params":${params}}`, request };
}

/** The key of an id that stands somewhere in a message; undefined for what is no id. */
export function idKeyOf(text: string, json: Json): string | undefined {
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

function subscriptionIn(frame: Notification): Json | undefined {
  return memberOf(memberOf(frame.params, "_meta"), subscriptionKey);
}

function metaFor({ id }: Pending): string {
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
