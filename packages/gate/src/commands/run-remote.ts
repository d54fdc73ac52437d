import { constants } from "node:os";
import { visible } from "@countersign/core";
import { guardRemote, type RemoteFailure } from "@countersign/wire/http";
import { exitCodes, GateError } from "../gate-error.ts";
import type { HttpReach } from "../gateway/gateway-settings.ts";
import { type Remote, remoteOf } from "../gateway/usable-reach.ts";
import { surroundingsHere } from "../hosts/surroundings-here.ts";
import { remoteLaunchOffer } from "../launch/launch-offer.ts";
import { sayReachProblem } from "../print/say-reach-problem.ts";
import { sayRemoteFailure } from "../print/say-remote-failure.ts";
import type { credentialFor } from "../remote/credential-for.ts";
import { personHere } from "../sign-in/person-here.ts";
import { type GuardedRunOptions, runGuarded } from "./run-guarded.ts";

export interface RunRemoteOptions extends GuardedRunOptions {
  /** As the operator wrote it: variables are put in now, and stored nowhere. */
  readonly reach: Pick<HttpReach, "url" | "headers" | "transport">;
  readonly credentialFor: typeof credentialFor;
  /** False: nobody opens a browser here, the address of the page is only said. */
  readonly browser: boolean;
}

/** Stands between a host that speaks on its standard streams and a server at a URL. Returns the exit code to end with. */
export async function runRemote(options: RunRemoteOptions): Promise<number> {
  const { reach, host } = options;
  const remote = usable(options);
  return runGuarded(options, {
    launch: (server) => remoteLaunchOffer(server, reach),
    start: async ({ server, guard, say }) => {
      const { config, browser } = options;
      const person = personHere(options.say, browser);
      const credential = await options.credentialFor({
        ...{ server, remote, person, say },
        ...(config === undefined ? {} : { config }),
      });
      const often = counting();
      const { ended, ...started } = guardRemote({
        ...{ ...guard, host },
        remote: { url: remote.url, transport: reach.transport, ...credential },
        failed: (code, _of, status) => {
          if (often(code)) say(sayRemoteFailure(code, server, status));
        },
        nextStep: (code) =>
          code === "NEEDS_SIGN_IN" ? `ask the user to run countersign sign-in ${server}` : undefined,
        grace: 2_000,
      });
      let by: NodeJS.Signals | undefined;
      return {
        guard: started.guard,
        signal: (signal) => {
          by = signal;
          credential.close();
          started.close();
        },
        ended: ended.then(() => {
          credential.close();
          return { code: by === undefined ? exitCodes.clean : 128 + constants.signals[by] };
        }),
      };
    },
  });
}

function usable({ server, reach }: RunRemoteOptions): Remote {
  const usable = remoteOf(reach, surroundingsHere());
  if (usable.is === "usable") return usable.value;
  const why = usable.problems.map(sayReachProblem).join("; ");
  throw new GateError("CONFIG", `Cannot run ${visible(server)}: ${why}; set what is missing where the host starts it`);
}

/** The same trouble many times over is said once, and then at the 10th, 100th ... time. */
function counting(): (code: RemoteFailure) => boolean {
  const counts = new Map<RemoteFailure, number>();
  return (code) => {
    const count = (counts.get(code) ?? 0) + 1;
    counts.set(code, count);
    return /^10*$/.test(String(count));
  };
}
