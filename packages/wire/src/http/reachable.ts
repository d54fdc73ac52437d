/** Why a server at a URL is not reached. */
export type Unreachable = "NOT_A_URL" | "NOT_HTTP" | "PLAIN_HTTP" | "USER_IN_URL";

/** A URL that a server may be reached at: https, or http to this machine only, and without a user in it. */
export function reachable(text: string): URL | Unreachable {
  const url = URL.parse(text);
  if (url === null) return "NOT_A_URL";
  if (url.protocol !== "https:" && url.protocol !== "http:") return "NOT_HTTP";
  if (url.username !== "" || url.password !== "") return "USER_IN_URL";
  if (url.protocol === "http:" && !isLoopback(url.hostname)) return "PLAIN_HTTP";
  url.hash = "";
  return url;
}

/** `URL` has spelled every IPv4 address with four decimal numbers, and every IPv6 address in its shortest form. */
function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    /^127(?:\.[0-9]{1,3}){3}$/.test(hostname)
  );
}
