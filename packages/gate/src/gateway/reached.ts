import type { Offer, ServerName } from "@countersign/core";
import type { Command, RemoteSideOptions } from "@countersign/wire";
import { surroundingsHere } from "../hosts/surroundings-here.ts";
import { launchOffer, noLaunch } from "../launch/launch-offer.ts";
import type { Reach, Share } from "./gateway-settings.ts";
import { commandOf, remoteOf, type Usable } from "./usable-reach.ts";

/** How a server is reached. Looked up anew for each connection: files and variables change. */
export type Reached =
  | { readonly is: "stdio"; readonly share: Share; readonly now: () => Usable<StdioNow> }
  | { readonly is: "http"; readonly now: () => Usable<HttpNow> };

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
        now: () => {
          const command = commandOf(reach, surroundingsHere());
          if (command.is === "impossible") return command;
          return { is: "usable", value: { command: command.value, launch: launchOffer(server, command.value) } };
        },
      };
    case "http":
      return {
        is: "http",
        now: () => {
          const remote = remoteOf(reach, surroundingsHere());
          if (remote.is === "impossible") return remote;
          const { url, headers } = remote.value;
          return {
            is: "usable",
            value: {
              launch: noLaunch(server),
              remote: {
                ...{ url, transport: reach.transport },
                headers: async () => headers,
                unauthorized: async () => false,
              },
            },
          };
        },
      };
  }
}
