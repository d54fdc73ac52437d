import type { ChildProcessByStdio, SpawnOptionsWithStdioTuple, StdioPipe } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import crossSpawn from "cross-spawn";

export type Piped = ChildProcessByStdio<Writable, Readable, Readable>;
export type Options = SpawnOptionsWithStdioTuple<StdioPipe, StdioPipe, StdioPipe>;

/** Its quoting for cmd.exe is what cross-spawn is for. The file is absolute, so that nothing is looked up again. */
export function spawnBatch(file: string, args: readonly string[], options: Options): Piped {
  return crossSpawn(file, [...args], options) as Piped;
}
