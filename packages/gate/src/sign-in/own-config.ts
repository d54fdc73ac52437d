import type { ServerName } from "@countersign/core";
import type { Config } from "../config-schema.ts";
import { GateError } from "../gate-error.ts";
import { expand } from "../hosts/expand.ts";
import { surroundingsHere } from "../hosts/surroundings-here.ts";
import { configFilesHere } from "../project/config-files.ts";
import { readProjects } from "../project/read-projects.ts";
import { ownPathOf } from "../project/repository.ts";
import type { SignInSettings } from "./sign-in-settings.ts";

type OwnServer = NonNullable<Config["servers"]>[string];

/**
 * What the user's own config says of one server. Where a project could say how to sign in, it could have the user's tokens
 * issued to whomever it likes; a file in a repository that the user named counts once it is trusted.
 */
export async function ownConfigOf(server: ServerName, given: string | undefined): Promise<OwnServer> {
  const projects = await readProjects(configFilesHere(given));
  const named = given === undefined ? undefined : projects.files.find(({ path }) => path === ownPathOf(given));
  const { servers = {} } = named?.trusted === true ? named.config : projects.own;
  return (Object.hasOwn(servers, server) ? servers[server] : undefined) ?? {};
}

/** How to sign in, with the value of its secret. */
export function signInSettingsIn(server: ServerName, { signIn = {} }: OwnServer): SignInSettings {
  const { clientId, clientSecret, clientMetadataUrl, scope, port, audience } = signIn;
  const secret = clientSecret === undefined ? undefined : secretIn(server, clientSecret);
  return {
    ...(clientId === undefined ? {} : { clientId }),
    ...(secret === undefined ? {} : { clientSecret: secret }),
    ...(clientMetadataUrl === undefined ? {} : { clientMetadataUrl }),
    ...(scope === undefined ? {} : { scope }),
    ...(port === undefined ? {} : { port }),
    ...(audience === undefined ? {} : { audience }),
  };
}

function secretIn(server: ServerName, text: string): string {
  const expanded = expand(text, { variables: ["braced", "defaulted"] }, surroundingsHere(), new Map());
  if (expanded.is === "text") return expanded.text;
  throw new GateError(
    "CONFIG",
    `Cannot sign in to ${server}: the variable ${expanded.variable} in signIn.clientSecret has no value; set it where Countersign is started`,
  );
}
