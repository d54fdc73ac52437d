import { lists, type Offer, type Prose } from "@countersign/core";
import type { Command } from "@countersign/wire";
import { type ExitCode, exitCodes, GateError } from "../gate-error.ts";
import { lookAt } from "../look.ts";
import { shownName, type View } from "../print/view.ts";
import type { Capture } from "../prove/capture.ts";
import { readCapturedOffers } from "../prove/captured-offers.ts";
import { proveApart } from "../prove/prove-apart.ts";
import type { FalseDrift, Missed, ProveReport } from "../prove/report.ts";
import { saidLast, serverNamed } from "./scan.ts";

export type ProveOptions = ({ readonly offers: string } | { readonly server: string; readonly command: Command }) & {
  readonly all: boolean;
  readonly seed: number;
  readonly prose: Prose;
};

export type ProveCommandReport = ProveReport & { readonly exitCode: ExitCode };

/** The control arms over captured offers, or over what a server offers now. */
export async function prove(options: ProveOptions, view: View): Promise<ProveCommandReport> {
  const captures = "offers" in options ? await readFolder(options.offers) : await capture(options, view);
  const report = await proveApart(captures, { all: options.all, seed: options.seed, prose: options.prose });
  return {
    ...report,
    missed: report.missed.map((row) => ({
      ...row,
      ...shownComplaint(row, view),
      pointer: row.pointer === "" ? "" : shownName(row.pointer, view),
    })),
    falseDrift: report.falseDrift.map((row) => ({ ...row, ...shownComplaint(row, view) })),
    withheld: report.withheld.map((row) => ({ ...row, name: shownName(row.name, view) })),
    exitCode: exitCodeFor(report),
  };
}

/** Names and places are server-chosen. */
function shownComplaint({ name, detail }: Missed | FalseDrift, view: View) {
  return { name: shownName(name, view), detail: detail.map((one) => (one === "" ? "" : shownName(one, view))) };
}

/** Of what could not be bound while nothing moved, nothing is proved; and of nothing, nothing is. */
function exitCodeFor({ missed, falseDrift, withheld, definitions }: ProveReport): ExitCode {
  if (missed.length > 0 || falseDrift.length > 0) return exitCodes.findings;
  return withheld.length > 0 || definitions === 0 ? exitCodes.incomplete : exitCodes.clean;
}

async function readFolder(folder: string): Promise<readonly Capture[]> {
  try {
    return await readCapturedOffers(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "ENOTDIR" && code !== "EACCES") throw error;
    throw new GateError(
      "USAGE",
      `Cannot read captured offers from "${folder}": ${code}; give a folder of .json captures`,
      { cause: error },
    );
  }
}

async function capture(
  { server, command }: { server: string; command: Command },
  view: View,
): Promise<readonly Capture[]> {
  if (command.command === "")
    throw new GateError(
      "USAGE",
      "Cannot prove anything without an offer: give --offers <folder>, or a server's name and its command after --",
    );
  const look = await lookAt({ server: serverNamed(server), command, rule: async () => [], deadline: 60_000 });
  if (look.offers.length === 0)
    throw new GateError(
      "INCOMPLETE",
      `Cannot prove anything: the server offered nothing; ${saidLast(look.lastWords, view)}`,
    );
  return look.offers.map((offer) => ({ server: offer.server, source: offer.source, pages: [pageOf(offer)] }));
}

/** The result that an offer can be read from again. */
function pageOf(offer: Offer): string {
  const list = lists.get(offer.source)?.list;
  const members: string[] = [];
  const items: string[] = [];
  for (const { address, text } of offer.definitions) {
    if (address.kind === "server") members.push(text.trim().slice(1, -1));
    else if (address.kind === "instructions") members.push(`"instructions":${text}`);
    else items.push(text);
  }
  if (list !== undefined) members.push(`"${list}":[${items.join(",")}]`);
  return `{${members.filter((member) => member.trim() !== "").join(",")}}`;
}
