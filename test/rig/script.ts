import type { Script, Step } from "../fixtures/raw-server.ts";
import { fixture, type Place } from "./place.ts";

/**
 * The command line of a raw server that does what a script says.
 *
 * @param name of the script's file; a later script of the same name is the same launch
 */
export function scripted(
  place: Place,
  on: Script["on"],
  ignores: Script["ignores"] = [],
  name = `script-${++count}.json`,
): readonly string[] {
  const script: Script = { on, ignores };
  return fixture("raw-server.ts", place.write(name, script));
}

let count = 0;

/** The answer to `initialize`, with these capabilities. */
export function hello(...capabilities: readonly string[]): Step {
  const declared = capabilities.map((one) => `"${one}":{"listChanged":true}`).join(",");
  return answer(
    `{"protocolVersion":"2025-11-25","capabilities":{${declared}},"serverInfo":{"name":"raw","version":"1"}}`,
  );
}

/** An answer with this result, as JSON text. */
export function answer(result: string): Step {
  return `{"jsonrpc":"2.0","id":$ID,"result":${result}}`;
}

/** A tool that no gate has anything against. */
export function tool(name: string, description = `Does ${name}`): string {
  return `{"name":"${name}","description":"${description}","inputSchema":{"type":"object","properties":{},"additionalProperties":false}}`;
}
