import { isLoopback } from "../access/loopback.ts";

/**
 * Why a server is not reached at a URL; undefined where it may be. A variable may stand in the path and the query only: it
 * must not decide to which machine the credentials go.
 */
export function urlProblem(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text)) return "no URL that begins with https:// or http://";
  if (/[\s\p{Cc}\\]/u.test(text)) return "holds white space, a control character or a backslash";
  const authority = /^[^:]*:\/\/[^/?#]*/.exec(text)?.[0] ?? "";
  if (authority.includes("$" + "{")) return "has a variable in the name of its host; one may stand behind that only";
  if (!URL.canParse(text)) return "no URL";
  const { protocol, hostname, username, password, hash } = new URL(text);
  if (username !== "" || password !== "") return "holds a user's name or a password; give them as a header";
  if (hash !== "" || text.includes("#")) return "has a fragment, which no server is told";
  if (protocol === "http:" && !isLoopback(hostname)) return "plain http, which is for this machine only; use https";
  return undefined;
}
