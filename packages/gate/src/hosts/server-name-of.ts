import { createHash } from "node:crypto";
import { asServerName, type ServerName } from "@countersign/core";

/**
 * The name of a server, from the one that a host's file gives it: the same where it can be one. Any other name becomes what
 * can be kept of it and a hash of all of it, so that different names stay different.
 */
export function serverNameOf(name: string): ServerName {
  const server = asServerName(name);
  // A name that looks like a made one could be meant to meet it.
  if (server !== undefined && !made.test(name)) return server;
  const kept = name
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+|-+$/g, "")
    .slice(0, 40);
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 16);
  const derived = asServerName(`${kept === "" ? "server" : kept}-x${hash}`);
  if (derived === undefined) throw new RangeError("a made name is a name of a server");
  return derived;
}

const made = /-x[0-9a-f]{16}$/;
