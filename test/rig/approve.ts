import type { Place } from "./place.ts";

/**
 * Approves all that was sighted of a server, as somebody without a terminal does: by the digest of the offer.
 *
 * @param options more of the approval's own, as `--acknowledge`
 */
export async function approve(place: Place, server: string, ...options: readonly string[]): Promise<void> {
  const offer = await offerOf(place, server);
  const { code, stderr } = await place.countersign("approve", server, "--offer", offer, "--yes", ...options);
  if (code !== 0) throw new Error(`Cannot approve ${server}: exit ${code}, ${stderr}`);
}

/** The digest of what a server last offered. */
export async function offerOf(place: Place, server: string): Promise<string> {
  const { code, stdout, stderr } = await place.countersign("status", server, "--offer");
  if (code !== 0) throw new Error(`Cannot ask for the offer of ${server}: exit ${code}, ${stderr}`);
  return stdout.trim();
}
