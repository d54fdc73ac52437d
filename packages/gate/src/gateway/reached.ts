import type { Offer, ServerName } from "@countersign/core";
import type { Command } from "@countersign/wire";
import type { RemoteSideOptions } from "@countersign/wire/http";
import { surroundingsHere } from "../hosts/surroundings-here.ts";
import { launchOffer, remoteLaunchOffer } from "../launch/launch-offer.ts";
import { type Credential, credentialFor } from "../remote/credential-for.ts";
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

/** @param say a sentence about the server, for the log */
export function reachedBy(server: ServerName, reach: Reach, say: (text: string) => void): Reached {
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
          const { url, headers: own } = remote.value;
          // Somebody's sign-in is lent to nobody who calls, unless the operator says so.
          const credential = reach.shareSignIn
            ? await credentialFor({ server, remote: remote.value, say })
            : { headers: async () => own, unauthorized: async () => false };
          const launch = remoteLaunchOffer(server, reach);
          const { headers: kept, unauthorized } = forAMoment(credential);
          const passed = async () => withBearer(await kept(), bearer());
          const headers = reach.passToken ? passed : kept;
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

/** What is kept in a file is not read at every request; what was refused is read again at once. */
function forAMoment({
  headers,
  unauthorized,
}: Pick<Credential, "headers" | "unauthorized">): Pick<Credential, "headers" | "unauthorized"> {
  let last: Promise<ReadonlyMap<string, string>> | undefined;
  let until = 0;
  const forget = () => {
    last = undefined;
  };
  return {
    headers: () => {
      if (last !== undefined && performance.now() < until) return last;
      last = headers();
      last.catch(forget);
      until = performance.now() + moment;
      return last;
    },
    unauthorized: (challenge) => {
      forget();
      return unauthorized(challenge).finally(forget);
    },
  };
}

/** Milliseconds. */
const moment = 1_000;
