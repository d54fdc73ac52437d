import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { type Content, type Found, launchOf } from "./launch-of.ts";

interface Case {
  readonly note: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly home?: string;
  /** Linux where a case does not say. */
  readonly platform?: NodeJS.Platform;
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, File>>;
  readonly expect: unknown;
}

type File = { readonly path: string; readonly executable?: boolean; readonly interpreter?: string } & Partial<
  { readonly digest: string } & { readonly size: number; readonly ends: string }
>;

const folder = resolve(import.meta.dirname, "../../../../vectors/launch");

for (const name of readdirSync(folder)) {
  const { cases } = JSON.parse(readFileSync(join(folder, name), "utf8")) as { cases: readonly Case[] };
  describe(`launchOf() as vectors/launch/${name} has it`, () => {
    for (const one of cases) {
      test(one.note, () => {
        const files = new Map(Object.entries(one.files ?? {}).map(([path, file]) => [path, foundOf(file)]));
        const text = launchOf({
          ...{ command: one.command, args: one.args, env: one.env ?? {} },
          ...{ cwd: one.cwd ?? "/home/ada/app", home: one.home ?? "/home/ada", platform: one.platform ?? "linux" },
          lookUp: (path) => files.get(path),
        });
        expect(JSON.parse(text)).toEqual(one.expect);
      });
    }
  });
}

function foundOf({ path, executable = false, interpreter, ...content }: File): Found {
  const held = Object.keys(content).length === 0 ? {} : { content: content as Content };
  return { path, executable, ...held, ...(interpreter === undefined ? {} : { interpreter }) };
}
