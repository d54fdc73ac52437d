import { namesSecret, secret, withoutSecrets } from "./without-secrets.ts";

/** How the operator says that a server is reached. Variables (`${NAME}`) stand as they are written: their values are not pinned. */
export interface RemoteFacts {
  readonly url: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly transport: "auto" | "http" | "sse";
}

/** How a server at a URL is reached, as JSON text: docs/format.md §5. */
export function remoteLaunchOf({ url, headers, transport }: RemoteFacts): string {
  const shown = [...headers].map(([name, value]): [string, string] => [name.toLowerCase(), shownValue(name, value)]);
  shown.sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify({ url: urlWithoutSecrets(url), transport, headers: Object.fromEntries(shown) });
}

/** The scheme, the host and the port as every reader has them; of the rest everything but what looks like a secret. */
function urlWithoutSecrets(text: string): string {
  const { origin } = new URL(text);
  const rest = /^[^:]*:\/\/[^/?#]*([^#]*)/.exec(text)?.[1] ?? "";
  const [path = "", query] = rest.split(/\?(.*)/s);
  const shownPath = path === "" ? "/" : path.split("/").map(withoutSecrets).join("/");
  if (query === undefined) return `${origin}${shownPath}`;
  const parts = query.split("&").map((part) => {
    const [name = "", value] = part.split(/=(.*)/s);
    return value === undefined ? withoutSecrets(name) : `${withoutSecrets(name)}=${shownValue(name, value)}`;
  });
  return `${origin}${shownPath}?${parts.join("&")}`;
}

/** A reference alone is no secret, whatever it stands for. */
function shownValue(name: string, value: string): string {
  if (/^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/.test(value)) return value;
  return namesSecret(name) || withoutSecrets(value) !== value ? secret : value;
}
