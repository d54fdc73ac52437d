import { type Definitions, definitions } from "../fixtures/both-eras-definitions.ts";
import { approve } from "./approve.ts";
import { fixture, type Place } from "./place.ts";
import type { Message, RawHost, Result } from "./raw-host.ts";

/** The both-eras server, guarded under the name "station". */
export interface Station {
  /** What a host's config would hold: the command, and what its environment needs. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Changes what it offers, now and from now on. Starts from what it offered at first. */
  offer(alter: (definitions: Definitions) => void): void;
  host(): RawHost;
}

/** @param name of the file that says what it offers; two of one place may come back changed in different ways */
export function stationIn(place: Place, name = "definitions.json"): Station {
  const file = place.write(name, definitions);
  const command = place.guarded("station", fixture("both-eras-server.ts"));
  const env = { BOTH_ERAS_DEFINITIONS: file };
  return {
    command,
    env: { ...place.env, ...env },
    offer(alter) {
      const altered = structuredClone(definitions);
      alter(altered);
      place.write(name, altered);
    },
    host: () => place.host(command, env),
  };
}

/** Lets hosts of both eras see a server for the first time, and approves all of it. */
export async function approveStation(place: Place, station: Station): Promise<void> {
  const older = station.host();
  const newer = station.host();
  await Promise.all([older.initialize(), newer.askModern("server/discover")]);
  await Promise.all([older.end(), newer.end()]);
  await approve(place, "station");
}

/** Everything that a host of the older era is shown of a server. */
export interface View {
  readonly handshake: Result | undefined;
  readonly tools: Result | undefined;
  readonly prompts: Result | undefined;
  readonly resources: Result | undefined;
  readonly templates: Result | undefined;
}

export async function viewOf(host: RawHost): Promise<View> {
  const { result: handshake } = await host.initialize();
  const [tools, prompts, resources, templates] = await Promise.all(
    ["tools/list", "prompts/list", "resources/list", "resources/templates/list"].map(
      async (method) => (await host.ask(method)).result,
    ),
  );
  return { handshake, tools, prompts, resources, templates };
}

export function toolNames(answer: Message): readonly string[] | undefined {
  return answer.result?.tools?.map(({ name }) => name);
}
