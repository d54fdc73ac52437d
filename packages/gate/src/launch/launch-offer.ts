import { homedir } from "node:os";
import { digestOf, type Offer, offerDigest, readJson, type ServerName, stdioLaunch } from "@countersign/core";
import type { Command } from "@countersign/wire";
import { type LaunchFacts, launchOf } from "./launch-of.ts";
import { lookUp } from "./look-up.ts";

/** How a server would be reached just now, by this process or one like it, as an offer of one definition. Reads the files it names. */
export function launchOffer(
  server: ServerName,
  { command, args, cwd = process.cwd(), env = process.env }: Command,
  rest: Pick<LaunchFacts, "workspace"> = {},
): Offer {
  const { platform } = process;
  const text = launchOf({ command, args, cwd, env, home: homedir(), platform, lookUp, ...rest });
  const reading = readJson(text);
  if (reading.is === "refused") {
    throw new Error(`Cannot pin how ${server} is reached: ${reading.refusal.code} at offset ${reading.refusal.at}`);
  }
  const { json } = reading;
  const definitions = [{ address: { server, ...stdioLaunch }, text, json, received: digestOf("launch", json) }];
  return { server, source: "launch", digest: offerDigest(definitions), definitions, malformed: [] };
}

/** Nothing is launched to reach the server, or nobody says what: there is nothing to pin. */
export function noLaunch(server: ServerName): Offer {
  return { server, source: "launch", digest: offerDigest([]), definitions: [], malformed: [] };
}
