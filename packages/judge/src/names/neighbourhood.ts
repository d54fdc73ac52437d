import type { Address } from "@countersign/core";
import { hostLimit, hostName } from "./host-name.ts";
import { Namesakes } from "./namesakes.ts";
import { skeletonOf } from "./skeleton-of.ts";

/** `by`: how a reader looks at it, where a host cuts it, a host's own prefix in it, or what a host makes of it. */
export interface Likeness {
  readonly to: Address;
  readonly by: "spelling" | "cut" | "prefix" | "host-name";
}

/** The approved tools of other servers, as a new name may resemble them. */
export interface Neighbourhood {
  /** The tool of another server that has this very name. */
  readonly named: (name: string) => Address | undefined;
  /** The tool of another server that this one would be taken for, though its name is another. */
  readonly resembled: (address: Address) => Likeness | undefined;
}

/** Linear in the neighbours. */
export function neighbourhoodOf(neighbours: readonly Address[]): Neighbourhood {
  const named = new Map<string, Address>();
  const spelled = new Namesakes();
  /** Tools by skeleton, of each server, and of what may stand for it before the tool's name. */
  const servers = new Map<string, Map<string, Address>>();
  const prefixes = new Map<string, Map<string, Address>>();
  const hosted = new Map<string, Address>();
  for (const address of neighbours) {
    const { server, kind, name } = address;
    if (kind !== "tool") continue;
    if (!named.has(name)) named.set(name, address);
    const skeleton = skeletonOf(name);
    spelled.add(skeleton, address);
    let tools = servers.get(server);
    if (tools === undefined) {
      // Two servers may be spelled alike as well.
      tools = prefixes.get(skeletonOf(server)) ?? new Map<string, Address>();
      for (const prefix of [server, `mcp_${server}`]) prefixes.set(skeletonOf(prefix), tools);
      servers.set(server, tools);
    }
    tools.set(skeleton, address);
    if (name.length > hostLimit) spelled.add(skeletonOf(name.slice(0, hostLimit)), address);
    const host = hostName(address);
    if (!hosted.has(host)) hosted.set(host, address);
  }

  return {
    named: (name) => named.get(name),
    resembled(address) {
      const { name } = address;
      const skeleton = skeletonOf(name);
      const like = spelled.other(skeleton, name);
      if (like !== undefined) return { to: like, by: "spelling" };
      const cut = name.length > hostLimit ? spelled.other(skeletonOf(name.slice(0, hostLimit)), name) : undefined;
      if (cut !== undefined) return { to: cut, by: "cut" };
      for (const { prefix, rest } of prefixesOf(name)) {
        const tool = prefixes.get(skeletonOf(prefix))?.get(skeletonOf(rest));
        if (tool !== undefined) return { to: tool, by: "prefix" };
      }
      const bare = withoutPrefix(name);
      const any = bare === undefined ? undefined : spelled.other(skeletonOf(bare), name);
      if (any !== undefined) return { to: any, by: "prefix" };
      const host = hosted.get(hostName(address));
      return host === undefined ? undefined : { to: host, by: "host-name" };
    },
  };
}

/** What may be a server's name and a tool's, at the first separators: a server's name holds few. */
function* prefixesOf(name: string): Iterable<{ prefix: string; rest: string }> {
  let left = mostSeparators;
  for (const { 0: separator, index } of name.slice(0, 2 * hostLimit).matchAll(/[_.:/-]+/g)) {
    if (index > 0 && left-- > 0) yield { prefix: name.slice(0, index), rest: name.slice(index + separator.length) };
  }
}

const mostSeparators = 8;

/** What is left of `mcp__server__tool`, in which a host names a tool. */
function withoutPrefix(name: string): string | undefined {
  if (!/^mcp__/i.test(name)) return undefined;
  const end = name.indexOf("__", "mcp__".length);
  return end < 0 ? undefined : name.slice(end + "__".length);
}
