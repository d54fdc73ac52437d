import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Check, checksIn } from "./checks.ts";

const program = resolve(import.meta.dirname, "../../node_modules/@modelcontextprotocol/conformance/dist/index.js");

export interface Suite {
  /** A folder for what it writes. */
  readonly scratch: string;
}

/** All that a revision requires of the server at a URL. */
export async function serverChecks(suite: Suite, revision: string, url: URL): Promise<readonly Check[]> {
  return run(suite, ["server", "--url", url.href, "--requirements", revision], {});
}

/** One scenario of a revision with the server at a URL. */
export async function scenarioChecks(
  suite: Suite,
  revision: string,
  scenario: string,
  url: URL,
): Promise<readonly Check[]> {
  return run(suite, ["server", "--url", url.href, "--scenario", scenario, "--spec-version", revision], {});
}

export interface ClientRun {
  readonly scenario: string;
  readonly revision: string;
  /** The suite gives it to a shell, and appends the URL of its own server. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** One scenario of a client, which the suite starts against a server of its own. */
export async function clientChecks(suite: Suite, client: ClientRun): Promise<readonly Check[]> {
  const command = client.command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const args = ["client", "--command", command, "--scenario", client.scenario, "--spec-version", client.revision];
  return run(suite, args, client.env);
}

async function run(
  { scratch }: Suite,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<readonly Check[]> {
  const folder = mkdtempSync(join(scratch, "results-"));
  const child = spawn(process.execPath, [program, ...args, "-o", folder], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  }
  await new Promise((closed) => child.on("close", closed));
  const checks = checksIn(folder);
  // Its exit code says whether all passed; that it did run shows in what it wrote.
  if (checks.length === 0) throw new Error(`The conformance suite wrote no checks; it said:\n${said.slice(-4_000)}`);
  return checks;
}
