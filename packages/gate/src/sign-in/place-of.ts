import { addressKey, httpLaunch, memberOf, readJson, type ServerName, visible } from "@countersign/core";
import type { Ledger } from "@countersign/ledger";
import { GateError } from "../gate-error.ts";
import { urlProblem } from "../gateway/url-problem.ts";
import { remoteOf } from "../gateway/usable-reach.ts";
import { surroundingsHere } from "../hosts/surroundings-here.ts";
import { secret } from "../launch/without-secrets.ts";
import type { SignInPlace } from "./kept-sign-in.ts";

/** The URL that a server is reached at, from what the operator wrote. The values of variables are put in. */
export function placeAt(server: ServerName, url: string): SignInPlace {
  const problem = urlProblem(url);
  if (problem !== undefined)
    throw new GateError("USAGE", `Cannot sign in to ${server} at "${visible(url)}": ${problem}; give another --url`);
  const reach = { url, headers: new Map() };
  const remote = remoteOf(reach, surroundingsHere());
  if (remote.is === "usable") return { server, url: remote.value.url };
  const variable = remote.problems.find((one) => one.variable !== undefined)?.variable;
  throw new GateError(
    "USAGE",
    `Cannot sign in to ${server}: ${variable === undefined ? "the values of the variables in its URL make no URL" : `the variable ${visible(variable)} in its URL has no value`}; set it, or give another --url`,
  );
}

/** The URL of the launch that is approved, else of the one that was seen last; undefined where none is pinned whole. */
export async function pinnedUrl(ledger: Ledger, server: ServerName): Promise<string | undefined> {
  const state = (await ledger.state()).servers.get(server);
  const key = addressKey(httpLaunch);
  const approved = state?.bindings.get(key)?.received;
  const seen = state?.sightings.get("launch")?.definitions.find((one) => addressKey(one) === key)?.received;
  const digest = approved ?? seen;
  const text = digest === undefined ? undefined : await ledger.text(digest);
  if (text === undefined) return undefined;
  const reading = readJson(text);
  const url = reading.is === "refused" ? undefined : memberOf(reading.json, "url");
  return url?.is === "string" && !url.value.includes(secret) ? url.value : undefined;
}
