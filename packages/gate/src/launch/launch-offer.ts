import { homedir } from "node:os";
import {
  digestOf,
  httpLaunch,
  type Offer,
  offerDigest,
  type RawDefinition,
  readJson,
  type ServerName,
  stdioLaunch,
} from "@countersign/core";
import type { Command } from "@countersign/wire";
import { type LaunchFacts, launchOf } from "./launch-of.ts";
import { lookUp } from "./look-up.ts";
import { type RemoteFacts, remoteLaunchOf } from "./remote-launch-of.ts";

/** How a server would be reached just now, by this process or one like it, as an offer of one definition. Reads the files it names. */
export function launchOffer(
  server: ServerName,
  { command, args, cwd = process.cwd(), env = process.env }: Command,
  rest: Pick<LaunchFacts, "workspace"> = {},
): Offer {
  const { platform } = process;
  return offerOf(
    server,
    stdioLaunch,
    launchOf({ command, args, cwd, env, home: homedir(), platform, lookUp, ...rest }),
  );
}

/** How a server at a URL is reached, as an offer of one definition. */
export function remoteLaunchOffer(server: ServerName, facts: RemoteFacts): Offer {
  return offerOf(server, httpLaunch, remoteLaunchOf(facts));
}

function offerOf(server: ServerName, name: Omit<RawDefinition["address"], "server">, text: string): Offer {
  const reading = readJson(text);
  if (reading.is === "refused") {
    throw new Error(`Cannot pin how ${server} is reached: ${reading.refusal.code} at offset ${reading.refusal.at}`);
  }
  const { json } = reading;
  const definitions = [{ address: { server, ...name }, text, json, received: digestOf("launch", json) }];
  return { server, source: "launch", digest: offerDigest(definitions), definitions, malformed: [] };
}

/** Nothing is launched to reach the server, or nobody says what: there is nothing to pin. */
export function noLaunch(server: ServerName): Offer {
  return { server, source: "launch", digest: offerDigest([]), definitions: [], malformed: [] };
}
