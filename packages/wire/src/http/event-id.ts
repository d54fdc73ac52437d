/**
 * Events are named anew for hosts: a server's name for one is its own text, and may hold anything. It is no secret, and comes
 * back only within the session that it was given in.
 */
export function eventIdFor(serverId: string): string | undefined {
  return serverId === "" || serverId.length > longest ? undefined : Buffer.from(serverId).toString("base64url");
}

/** The server's own name of an event that a host was given; undefined for what none was ever called. */
export function serverEventId(hostId: string): string | undefined {
  const id = Buffer.from(hostId, "base64url").toString("utf8");
  return id !== "" && eventIdFor(id) === hostId ? id : undefined;
}

const longest = 1_024;
