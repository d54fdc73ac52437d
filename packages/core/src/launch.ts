import { addressKey } from "./address.ts";
import { type Snapshot, withdrawnKey } from "./binding.ts";

/** The one launch of a server that is started and spoken to on its standard streams. */
export const stdioLaunch = { kind: "launch", name: "stdio" } as const;

/** The one launch of a server that is reached at a URL. */
export const httpLaunch = { kind: "launch", name: "http" } as const;

const launches = [stdioLaunch, httpLaunch].map(addressKey);

/**
 * `approved`: reached as somebody approved. `first-sight`: nothing of the server is approved yet, so it may be started,
 * and nothing of it passes. `held`: not as approved, or decided against; nothing passes and nothing may be started.
 */
export type LaunchStanding = "approved" | "first-sight" | "held";

/** How the launch of a server stands. Without a launch there is nothing to hold. */
export function launchStanding({ launch, bindings, withdrawn, now }: Omit<Snapshot, "texts">): LaunchStanding {
  if (launch === undefined) return "approved";
  if (launchIsWithdrawn({ launch, withdrawn })) return "held";
  const isApproved = launches.some((key) => {
    const binding = bindings.get(key);
    const current = binding?.expires === undefined || binding.expires > now;
    return binding?.received === launch && current;
  });
  if (isApproved) return "approved";
  return bindings.size === 0 ? "first-sight" : "held";
}

/** Whether somebody decided against reaching the server as it is reached now. */
export function launchIsWithdrawn({ launch, withdrawn }: Pick<Snapshot, "launch" | "withdrawn">): boolean {
  return launch !== undefined && launches.some((key) => withdrawn.has(withdrawnKey(launch, key)));
}
