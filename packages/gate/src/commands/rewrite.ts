import { rm, writeFile } from "node:fs/promises";
import { visible } from "@countersign/core";
import { type Drafted, draftDefinitions } from "@countersign/judge";
import { type ExitCode, exitCodes, GateError } from "../gate-error.ts";
import { draftConfig } from "../print/draft-config.ts";
import { shownName, type View } from "../print/view.ts";
import { type Places, settingsFor, standingFor, withLedger } from "./open.ts";
import { serverNamed } from "./scan.ts";

export interface RewriteOptions extends Places {
  readonly server: string;
  /** Only the tool of this name. */
  readonly tool?: string;
  /** Only definitions that something speaks against. */
  readonly flagged?: boolean;
  /** Where to write the draft, instead of showing it. */
  readonly out?: string;
  readonly force?: boolean;
}

export interface RewriteReport {
  readonly server: string;
  /** The digest of all that the server last offered, which the draft is of. */
  readonly offer: string;
  readonly definitions: readonly RewriteRow[];
  /** Absent where it was written to a file. JSON with comments, as a config takes it. */
  readonly config?: string;
  readonly file?: string;
  readonly exitCode: ExitCode;
}

export interface RewriteRow {
  readonly kind: string;
  readonly name: string;
  readonly kept: number;
  /** Places with another text than the server's. */
  readonly cut: number;
  readonly neutral: number;
  /** What still speaks against it with these texts: nobody can set a text there. */
  readonly left: readonly { readonly rule: string; readonly at: string }[];
}

/**
 * Drafts operator prose for what a server last offered, as a config. It changes nothing: what becomes of the draft is judged
 * and approved like anything else.
 */
export async function rewrite(options: RewriteOptions, view: View): Promise<RewriteReport> {
  const { out } = options;
  const server = serverNamed(options.server);
  if (out === undefined && !view.text) {
    throw new GateError(
      "USAGE",
      `Cannot show a draft of ${server} without a terminal: most of it is what the server wrote; write it with --out <file>, or give --text`,
    );
  }
  return withLedger(options, async (ledger) => {
    const { policy } = (await settingsFor(server, options)).settings;
    const standing = await standingFor(ledger, server, options);
    const definitions = standing.definitions.map(({ definition }) => definition);
    const drafted = draftDefinitions({ definitions, malformed: standing.malformed }, standing.snapshot, policy)
      .filter(({ address }) => options.tool === undefined || isTool(address, options.tool))
      .filter((one) => options.flagged !== true || isFlagged(one));
    if (options.tool !== undefined && drafted.length === 0 && options.flagged !== true) {
      throw new GateError(
        "USAGE",
        `Cannot find the tool "${visible(options.tool)}" of ${server}: it does not offer it; look with countersign status ${server}`,
      );
    }
    const config = draftConfig(server, standing.offer, drafted);
    if (out !== undefined) await write(out, config, options.force === true);
    const rows = drafted.map((one) => rowOf(one, view));
    return {
      ...{ server, offer: standing.offer, definitions: rows },
      ...(out === undefined ? { config } : { file: out }),
      exitCode: rows.some(({ left }) => left.length > 0) ? exitCodes.findings : exitCodes.clean,
    };
  });
}

function isTool({ kind, name }: Drafted["address"], tool: string): boolean {
  return kind === "tool" && name === tool;
}

function isFlagged({ texts, left }: Drafted): boolean {
  return left.length > 0 || texts.some(({ is }) => is !== "kept");
}

function rowOf({ address, texts, left }: Drafted, view: View): RewriteRow {
  const count = (one: Drafted["texts"][number]["is"]) => texts.filter(({ is }) => is === one).length;
  const places = new Map(left.map(({ rule, at }) => [`${rule} ${at}`, { rule, at }]));
  return {
    ...{ kind: address.kind, name: shownName(address.name, view) },
    ...{ kept: count("kept"), cut: count("cut"), neutral: count("neutral") },
    left: [...places.values()].map(({ rule, at }) => ({ rule, at: shownName(at, view) })),
  };
}

/** For its owner alone: it holds what the server wrote. */
async function write(path: string, text: string, force: boolean): Promise<void> {
  try {
    // A link there would be followed; what it leads to is not what was meant to be written over.
    if (force) await rm(path, { force: true });
    await writeFile(path, text, { mode: 0o600, flag: "wx" });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const next =
      code === "EEXIST" ? "give another file, or --force to write over it" : "give a file that can be written";
    throw new GateError("USAGE", `Cannot write the draft to "${visible(path)}": ${code}; ${next}`, { cause: error });
  }
}
