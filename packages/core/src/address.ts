/**
 * What a definition is. `server` is how a server presents itself: its handshake, and what it adds beside its lists. `body`
 * is the standing text behind a handle: of a prompt without arguments, or of a skill. `view` is a page that an app shows.
 * `claim` is what a manifest says of something that is offered elsewhere, or of itself; no running server offers one.
 */
export const kinds = [
  "tool",
  "prompt",
  "resource",
  "template",
  "instructions",
  "server",
  "skill",
  "body",
  "view",
  "launch",
  "claim",
  "sampled-tool",
] as const;

export type Kind = (typeof kinds)[number];

declare const brand: unique symbol;

/** The operator's name for a server. What a server calls itself is never its identity. */
export type ServerName = string & { readonly [brand]: "ServerName" };

/** Short enough for a notice, and nothing in it that a terminal, a shell or a path could take for syntax. */
export function asServerName(text: string): ServerName | undefined {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text) ? (text as ServerName) : undefined;
}

/** `name` is server-controlled and may hold anything; compare it code unit by code unit, never as a pattern. */
export interface Address {
  readonly server: ServerName;
  readonly kind: Kind;
  readonly name: string;
}

/** A key for a `Map` of one server's definitions. No kind holds a space, so different addresses have different keys. */
export function addressKey(address: { readonly kind: Kind; readonly name: string }): string {
  return `${address.kind} ${address.name}`;
}
