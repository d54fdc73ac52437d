import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { refusalOf } from "countersign";

const root = resolve(import.meta.dirname, "..");

/** How the server of the examples is started: what the transports of all SDKs are made with. */
export interface Command {
  readonly command: string;
  readonly args: string[];
}

/** Where an example connects, and by which decisions. */
export interface Setting {
  readonly server: Command;
  /** The ledger's path. An agent of your own needs none: by default it is the user's. */
  readonly ledger: string;
}

/** What an example shows of its framework. */
export interface Connected {
  /** The names of the tools that the model would be given. */
  tools(): Promise<readonly string[]>;
  /** Calls a tool, whether the model was given it or not; resolves to the text of its result. */
  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<string>;
  close(): Promise<void>;
}

/**
 * Three connections to one server: before anybody has looked at it, after somebody approved it, and after its author has
 * changed a description deep within it. What is said here is what happened; where the gate did not hold, it throws.
 */
export async function story(framework: string, connect: (setting: Setting) => Promise<Connected>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "countersign-example-"));
  const ledger = join(folder, "ledger.db");
  const server = { command: process.execPath, args: [join(root, "examples/notes-server.ts"), folder] };
  writeFileSync(join(folder, "milk.txt"), "Buy milk.");
  const connected = async (show: (client: Connected) => Promise<void>) => {
    const client = await connect({ server, ledger });
    try {
      await show(client);
    } finally {
      await client.close();
    }
  };
  try {
    say(`${framework}:`);
    await connected(async (client) => {
      same("at first sight the model is given", await client.tools(), []);
    });
    say(`  a person reviews and approves: ${approve(ledger)}`);
    await connected(async (client) => {
      same("then it is given", await client.tools(), ["list_notes", "read_note"]);
      same("and calls read_note", await client.call("read_note", { name: "milk.txt" }), "Buy milk.");
    });
    writeFileSync(join(folder, "update"), "");
    await connected(async (client) => {
      same("after the rug pull it is given", await client.tools(), ["list_notes"]);
      same("and calls list_notes", await client.call("list_notes", {}), "milk.txt");
      same("a call of read_note is refused", await reasonOf(client.call("read_note", { name: "milk.txt" })), changed);
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const changed = "DESCRIPTION_MUTATION";

/** What a person does with `countersign review notes`. */
function approve(ledger: string): string {
  const countersign = (...args: string[]) =>
    execFileSync(process.execPath, [join(root, "packages/gate/dist/bin.js"), ...args, "--ledger", ledger], {
      encoding: "utf8",
    }).trim();
  const offer = countersign("status", "notes", "--offer");
  return countersign("approve", "notes", "--offer", offer, "--yes").split("\n").at(-1) ?? "";
}

async function reasonOf(call: Promise<unknown>): Promise<string> {
  try {
    return `it was not: ${JSON.stringify(await call)}`;
  } catch (error) {
    return refusalOf(error)?.code ?? `no refusal: ${String(error)}`;
  }
}

function same(what: string, found: unknown, expected: unknown): void {
  const [is, should] = [JSON.stringify(found), JSON.stringify(expected)];
  if (is !== should) throw new Error(`${what} ${is}, and should be ${should}`);
  say(`  ${what} ${is}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
