import type { Address } from "@countersign/core";
import { isTool } from "../is-tool.ts";
import { type Convention, conventionOf } from "./convention-of.ts";
import { hostLimit, hostName } from "./host-name.ts";
import { Namesakes } from "./namesakes.ts";
import type { Likeness } from "./neighbourhood.ts";
import { skeletonOf } from "./skeleton-of.ts";

/** What one server calls its tools and prompts, as it offers them now. */
export interface Siblings {
  /** Another definition of this kind with which a reader or a host would confuse this one. */
  readonly resembled: (address: Address) => Likeness | undefined;
  /** Whether it is written as this server writes all its tools, and there are enough to call that a habit. */
  readonly isHabit: (name: string) => boolean;
}

/** Tools of the same convention that make it a habit, the one in question not counted. */
const habit = 3;

/** Linear in the addresses. */
export function siblingsOf(addresses: readonly Address[]): Siblings {
  const spelled = new Namesakes();
  const cut = new Namesakes();
  const hosted = new Namesakes();
  const conventions = new Map<Convention, number>();
  for (const address of addresses) {
    const { kind, name } = address;
    if (!isTool(kind) && kind !== "prompt") continue;
    spelled.add(`${kind} ${skeletonOf(name)}`, address);
    cut.add(`${kind} ${skeletonOf(name.slice(0, hostLimit))}`, address);
    hosted.add(`${kind} ${hostName(address)}`, address);
    const convention = isTool(kind) ? conventionOf(name) : "one-word";
    if (convention !== "one-word") conventions.set(convention, (conventions.get(convention) ?? 0) + 1);
  }
  return {
    resembled(address) {
      const { kind, name } = address;
      const like = spelled.other(`${kind} ${skeletonOf(name)}`, name);
      if (like !== undefined) return { to: like, by: "spelling" };
      const same = cut.other(`${kind} ${skeletonOf(name.slice(0, hostLimit))}`, name);
      if (same !== undefined) return { to: same, by: "cut" };
      const one = hosted.other(`${kind} ${hostName(address)}`, name);
      return one === undefined ? undefined : { to: one, by: "host-name" };
    },
    isHabit(name) {
      const convention = conventionOf(name);
      return convention !== "mixed" && conventions.size === 1 && (conventions.get(convention) ?? 0) > habit;
    },
  };
}
