import { AssertionError } from "node:assert";
import { asServerName, emptySnapshot, type Offer, offerDigest, type ServerName, visible } from "@countersign/core";
import { type Definitions, defaultPolicy, type Listed, readDefinitions, rule } from "@countersign/judge";
import type { ClientTransport } from "@countersign/wire";
import { commandOf, type Launched } from "../library/launched.ts";
import { type Look, lookAt } from "../look.ts";
import { lookThrough } from "./look-through.ts";

/**
 * Whose definitions a test is about: the command that starts a server; a client's transport to one (of this process, as
 * `InMemoryTransport.createLinkedPair()` gives it, or any other), which is closed afterwards; or the definitions themselves.
 */
export type Subject = Launched | ClientTransport | Definitions;

/** How a subject is looked at. */
export interface SubjectOptions {
  /** The name of the server; otherwise `server`. */
  readonly server?: string;
  /** What stands in an array or alone, where definitions are given; otherwise `tool`. */
  readonly kind?: Listed;
  /** Milliseconds that a server has to start and to answer; otherwise 20,000. */
  readonly deadline?: number;
}

/**
 * All that the subject offers, as one offer.
 *
 * @throws AssertionError where it could not be had whole
 */
export async function offerOf(subject: Subject, options: SubjectOptions): Promise<Offer> {
  const { server: name = "server", kind = "tool", deadline = 20_000 } = options;
  const server = asServerName(name);
  if (server === undefined) throw new RangeError(`"${visible(name)}" is no name of a server`);
  if (isTransport(subject)) return wholeOf(server, await lookThrough(server, subject, deadline));
  if (isLaunched(subject)) return wholeOf(server, await started(server, subject, deadline));
  return readDefinitions(server, subject, kind);
}

const judged = async (offer: Offer) => rule(offer, emptySnapshot, defaultPolicy);

function started(server: ServerName, launched: Launched, deadline: number): Promise<Look> {
  return lookAt({ server, command: commandOf(launched), rule: judged, deadline });
}

function isTransport(subject: Subject): subject is ClientTransport {
  return typeof subject === "object" && "start" in subject && "send" in subject;
}

/** No definition, and no result, has a command that is a text. */
function isLaunched(subject: Subject): subject is Launched {
  return typeof subject === "object" && "command" in subject && typeof subject.command === "string";
}

function wholeOf(server: ServerName, look: Pick<Look, "offers" | "failures"> & Partial<Look>): Offer {
  const { offers, failures, ended, lastWords = "" } = look;
  const causes = failures.map(({ source, code }) => `${source}: ${code}`);
  if (ended !== undefined) causes.push(`it ended (${JSON.stringify(ended)}); its last line on stderr: ${lastWords}`);
  if (offers.length === 0 && causes.length === 0) causes.push("it answered neither initialize nor server/discover");
  if (causes.length > 0) {
    throw new AssertionError({ message: `Cannot look at all that ${server} offers: ${causes.join("; ")}` });
  }
  const definitions = offers.flatMap((offer) => offer.definitions);
  const malformed = offers.flatMap((offer) => offer.malformed);
  return { server, source: "tools/list", digest: offerDigest(definitions), definitions, malformed };
}
