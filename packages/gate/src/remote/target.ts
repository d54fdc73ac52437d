import { type Offer, type ServerName, visible } from "@countersign/core";
import type { Command } from "@countersign/wire";
import { GateError } from "../gate-error.ts";
import type { HttpReach } from "../gateway/gateway-settings.ts";
import { remoteOf } from "../gateway/usable-reach.ts";
import { surroundingsHere } from "../hosts/surroundings-here.ts";
import { launchOffer, remoteLaunchOffer } from "../launch/launch-offer.ts";
import type { RemoteTarget } from "../look.ts";
import type { LookedAt } from "../print/say-look-failure.ts";
import { sayReachProblem } from "../print/say-reach-problem.ts";
import { credentialFor } from "./credential-for.ts";

/** A server that somebody named on a command line, as they wrote it. */
export type Target =
  | { readonly is: "stdio"; readonly command: Command }
  | ({ readonly is: "http" } & Pick<HttpReach, "url" | "headers" | "transport">);

export function launchOfTarget(server: ServerName, target: Target): Offer {
  return target.is === "stdio" ? launchOffer(server, target.command) : remoteLaunchOffer(server, target);
}

/** With the values of its variables. */
export async function targetHere(server: ServerName, target: Target, doing: string): Promise<Command | RemoteTarget> {
  if (target.is === "stdio") return target.command;
  const usable = remoteOf(target, surroundingsHere());
  if (usable.is === "impossible") {
    const why = usable.problems.map(sayReachProblem).join("; ");
    throw new GateError("CONFIG", `Cannot ${doing} ${visible(server)}: ${why}; set what is missing`);
  }
  const credential = await credentialFor({ server, remote: usable.value, say: () => undefined });
  return { url: usable.value.url, transport: target.transport, ...credential };
}

export function lookedAt(server: ServerName, target: Target): LookedAt {
  return target.is === "stdio" ? { is: "stdio", command: target.command.command } : { is: "http", server };
}
