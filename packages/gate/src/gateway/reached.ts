import type { Offer, ServerName } from "@countersign/core";
import type { Command, RemoteSideOptions } from "@countersign/wire";
import { surroundingsHere } from "../hosts/surroundings-here.ts";
import { launchOffer, remoteLaunchOffer } from "../launch/launch-offer.ts";
import { credentialFor } from "../remote/credential-for.ts";
import type { Reach, Share } from "./gateway-settings.ts";
import { commandOf, remoteOf, type Usable } from "./usable-reach.ts";

/** How a server is reached. Looked up anew for each connection: files and variables change. */
export type Reached =
  | { readonly is: "stdio"; readonly share: Share; readonly now: () => Promise<Usable<StdioNow>> }
  /** `bearer`: the token of whoever calls, where one came. It is passed on only where the operator marked the server for it. */
  | { readonly is: "http"; readonly now: (bearer: () => string | undefined) => Promise<Usable<HttpNow>> };

interface StdioNow {
  readonly launch: Offer;
  readonly command: Command;
}

interface HttpNow {
  readonly launch: Offer;
  readonly remote: RemoteSideOptions["remote"];
}

export function reachedBy(server: ServerName, reach: Reach): Reached {
  switch (reach.is) {
    case "stdio":
      return {
        is: "stdio",
        share: reach.share,
        now: async () => {
          const command = commandOf(reach, surroundingsHere());
          if (command.is === "impossible") return command;
          return { is: "usable", value: { command: command.value, launch: launchOffer(server, command.value) } };
        },
      };
    case "http":
      return {
        is: "http",
        now: async (bearer) => {
          const remote = remoteOf(reach, surroundingsHere());
          if (remote.is === "impossible") return remote;
          const credential = await credentialFor(server, remote.value);
          const launch = remoteLaunchOffer(server, reach);
          const { url } = remote.value;
          const passed = async () => withBearer(await credential.headers(), bearer());
          const headers = reach.passToken ? passed : credential.headers;
          const { unauthorized } = credential;
          return {
            is: "usable",
            value: { launch, remote: { url, transport: reach.transport, headers, unauthorized } },
          };
        },
      };
  }
}

function withBearer(headers: ReadonlyMap<string, string>, token: string | undefined): ReadonlyMap<string, string> {
  return token === undefined ? headers : new Map([...headers, ["authorization", `Bearer ${token}`]]);
}
