import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** The conformance server and client of the official TypeScript SDK. */
export interface Fixture {
  readonly server: readonly string[];
  readonly client: readonly string[];
}

/** What the fixture imports. Fixed, so that two runs measure the same. */
const packages = {
  "@modelcontextprotocol/client": "2.4.0",
  "@modelcontextprotocol/express": "2.0.2",
  "@modelcontextprotocol/node": "2.1.2",
  "@modelcontextprotocol/server": "2.4.0",
  cors: "2.8.6",
  express: "5.3.0",
  tsx: "4.23.15",
  zod: "4.6.7",
};

/**
 * The fixture in `folder`, a checkout of `test/conformance` of the SDK's repository, as it is run. Where its packages
 * are not installed there, it is copied to `scratch`, and they come from the registry.
 */
export function prepareFixture(folder: string, scratch: string): Fixture {
  const there = resolve(folder);
  if (!existsSync(join(there, "src/everythingServer.ts")))
    throw new Error(`Cannot use the fixture in ${there}: it holds no src/everythingServer.ts`);
  const at = existsSync(join(there, "node_modules/tsx")) ? there : installed(there, scratch);
  const run = (file: string) => [
    process.execPath,
    "--import",
    join(at, "node_modules/tsx/dist/loader.mjs"),
    join(at, "src", file),
  ];
  return { server: run("everythingServer.ts"), client: run("everythingClient.ts") };
}

function installed(folder: string, scratch: string): string {
  const at = join(scratch, "fixture");
  mkdirSync(at, { recursive: true });
  cpSync(join(folder, "src"), join(at, "src"), { recursive: true });
  const manifest = { name: "fixture", private: true, type: "module", dependencies: packages };
  writeFileSync(join(at, "package.json"), JSON.stringify(manifest));
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: at, stdio: "inherit" });
  return at;
}
