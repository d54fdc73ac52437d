import type { Address } from "@countersign/core";
import { hostLimit, hostName } from "./host-name.ts";
import { Namesakes } from "./namesakes.ts";
import { shortest, skeletonOf } from "./skeleton-of.ts";

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
  const prefixed = new Namesakes();
  const hosted = new Map<string, Address>();
  for (const address of neighbours) {
    const { server, kind, name } = address;
    if (kind !== "tool") continue;
    if (!named.has(name)) named.set(name, address);
    spelled.add(skeletonOf(name), address);
    if (name.length > hostLimit) spelled.add(skeletonOf(name.slice(0, hostLimit)), address);
    for (const prefix of [server, `mcp_${server}`]) {
      const key = skeletonOf(`${prefix}_${name}`);
      if (key.length >= shortest) prefixed.add(key, address);
    }
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
      const bare = withoutPrefix(name);
      const tool =
        prefixed.other(skeleton, name) ?? (bare === undefined ? undefined : spelled.other(skeletonOf(bare), name));
      if (tool !== undefined) return { to: tool, by: "prefix" };
      const host = hosted.get(hostName(address));
      return host === undefined ? undefined : { to: host, by: "host-name" };
    },
  };
}

/** What is left of `mcp__server__tool`, in which a host names a tool. */
function withoutPrefix(name: string): string | undefined {
  if (!/^mcp__/i.test(name)) return undefined;
  const end = name.indexOf("__", "mcp__".length);
  return end < 0 ? undefined : name.slice(end + "__".length);
}
