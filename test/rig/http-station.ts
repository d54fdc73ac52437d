import type { Definitions } from "../fixtures/both-eras-definitions.ts";
import type { Received } from "../fixtures/both-eras-http.ts";
import type { Behaviour } from "../fixtures/http/behaviour.ts";
import { httpDefinitions } from "../fixtures/http/offer.ts";
import { approve } from "./approve.ts";
import { Child } from "./child.ts";
import type { Gateway } from "./gateway.ts";
import { HttpHost } from "./http-host.ts";
import { fixture, type Place } from "./place.ts";

/** The both-eras server over HTTP, a process of its own. */
export interface HttpStation {
  readonly url: URL;
  /** How it behaves from now on. Whoever listens has been told when this resolves. */
  behave(change: Partial<Behaviour>): Promise<void>;
  /** What came to it since this was asked last, and how many streams are open. */
  received(): Promise<{ readonly received: readonly Received[]; readonly streams: number; readonly listeners: number }>;
  readonly child: Child;
  close(): Promise<void>;
}

export async function startHttpStation(place: Place): Promise<HttpStation> {
  const child = new Child(fixture("both-eras-http.ts"), { cwd: place.folder, env: place.env });
  const url = new URL(await child.says(/serves at (\S+)/));
  return {
    url,
    child,
    async behave(change) {
      await fetch(new URL("/control", url), { method: "PUT", body: JSON.stringify(change) });
    },
    async received() {
      const answer = await fetch(new URL("/received", url));
      return (await answer.json()) as Awaited<ReturnType<HttpStation["received"]>>;
    },
    async close() {
      await child.end();
    },
  };
}

/** What the station offers, altered. */
export function altered(alter: (definitions: Definitions) => void): Definitions {
  const definitions = structuredClone(httpDefinitions);
  alter(definitions);
  return definitions;
}

/** Has all of a server listed through a gateway in both eras, as hosts do. */
export async function lookThrough(
  gateway: Gateway,
  server: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const host = new HttpHost(gateway.url(server), headers);
  const lists = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"];
  await host.initialize();
  await Promise.all(lists.map((method) => host.ask(method)));
  await host.delete();
  await Promise.all(["server/discover", ...lists].map((method) => host.askModern(method)));
  host.close();
}

export async function approveThrough(place: Place, gateway: Gateway, server: string): Promise<void> {
  await lookThrough(gateway, server);
  await approve(place, server);
}
