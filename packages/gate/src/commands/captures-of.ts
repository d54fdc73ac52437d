import { lists, type Offer } from "@countersign/core";
import type { Command } from "@countersign/wire";
import { GateError } from "../gate-error.ts";
import { lookAt } from "../look.ts";
import { saidLast } from "../print/say-look-failure.ts";
import type { View } from "../print/view.ts";
import type { Capture } from "../prove/capture.ts";
import { readCapturedOffers } from "../prove/captured-offers.ts";
import { serverNamed } from "./scan.ts";

/** Where the offers come from that something is proved of: a folder of captures, or a server that is asked now. */
export type From = { readonly offers: string } | { readonly server: string; readonly command: Command };

/** @throws GateError where there are none */
export async function capturesOf(from: From, view: View): Promise<readonly Capture[]> {
  return "offers" in from ? await readFolder(from.offers) : await capture(from, view);
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
