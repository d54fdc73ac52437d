import { basename, resolve } from "node:path";
import { addressKey, asServerName, type Offer, readManifest, type ServerName, visible } from "@countersign/core";
import { planFor, rule } from "@countersign/judge";
import type { Ledger } from "@countersign/ledger";
import { type ExitCode, exitCodes, GateError } from "../gate-error.ts";
import { type Comparison, compareClaims } from "../manifests/compare-claims.ts";
import type { Format, Manifest, ManifestNote } from "../manifests/format.ts";
import type { ManifestProblem } from "../manifests/manifest-problem.ts";
import { readManifestAt } from "../manifests/read-manifest.ts";
import { type DefinitionRow, definitionRow, malformedRow } from "../print/definition-row.ts";
import { sayManifestProblem } from "../print/say-manifest-problem.ts";
import { shownName, type View } from "../print/view.ts";
import type { Ignored } from "../project/config-files.ts";
import { sight } from "../sight.ts";
import { standingOf } from "../standing.ts";
import { type Places, settingsFor, withLedger } from "./open.ts";
import { serverNamed } from "./scan.ts";

export interface ManifestOptions extends Places {
  readonly path: string;
  /** Under which name the ledger keeps it; made from that of the file or folder where nobody says. */
  readonly as?: string;
  /** A server of the ledger that the manifest is of. */
  readonly against?: string;
  /** Only look: record nothing. */
  readonly dryRun?: boolean;
}

export interface ManifestReport {
  readonly server: string;
  readonly format: Format;
  /** As it calls itself, if it does. */
  readonly name?: string;
  readonly definitions: readonly DefinitionRow[];
  readonly bound: number;
  readonly notes: readonly ManifestNote[];
  /** Approved, and no longer in it. */
  readonly gone: readonly string[];
  readonly against?: { readonly server: string; readonly compared: readonly Comparison[] };
  readonly recorded: boolean;
  readonly ignored: readonly Ignored[];
  readonly exitCode: ExitCode;
}

/** Reads a manifest, a plugin or skills, and judges what they say like what a server offers: by the same gates and ledger. */
export async function manifest(options: ManifestOptions, view: View): Promise<ManifestReport> {
  const server = options.as === undefined ? nameFor(options.path) : serverNamed(options.as);
  const reading = await readManifestAt(options.path);
  if (reading.is === "refused") throw problemOf(options.path, reading.problem);
  const { format, name, notes } = reading.value;
  const offer = offerOf(server, options.path, reading.value);
  const { settings, ignored } = await settingsFor(server, options);
  return withLedger(options, async (ledger) => {
    await mustBeManifest(ledger, server);
    const recorded = options.dryRun !== true && (await sight(ledger, offer)).is !== "moved";
    const snapshot = await ledger.snapshot(server);
    const rulings = rule(offer, snapshot, settings.policy);
    const definitions = offer.definitions.map((definition, index) => {
      const ruling = rulings[index];
      if (ruling === undefined) throw new RangeError("a definition has no ruling");
      const plan = planFor(settings.policy, definition.address, snapshot.bindings.get(addressKey(definition.address)));
      return definitionRow({ definition, ruling, plan }, view);
    });
    const rows = [...definitions, ...offer.malformed.map((one) => malformedRow(one, view))];
    const offered = new Set(offer.definitions.map(({ address }) => addressKey(address)));
    const gone = [...snapshot.bindings].filter(([key]) => !offered.has(key)).map(([, { address }]) => address.name);
    const against = options.against === undefined ? undefined : await compared(ledger, offer, options.against, options);
    const bound = rows.filter(({ verdict }) => verdict === "bind").length;
    const differs = against?.compared.some((one) => differences(one, notes)) === true;
    return {
      ...{ server, format, definitions: rows, bound },
      ...(name === "" ? {} : { name: shownName(name, view) }),
      notes: notes.map((note) => ("skill" in note ? { ...note, skill: shownName(note.skill, view) } : note)),
      gone: gone.map((one) => shownName(one, view)),
      ...(against === undefined ? {} : { against: shown(against, view) }),
      ...{ recorded, ignored },
      exitCode: bound === rows.length && !differs ? exitCodes.clean : exitCodes.unapproved,
    };
  });
}

/** What is offered beside an incomplete list is no contradiction. */
function differences({ what, result }: Comparison, notes: readonly ManifestNote[]): boolean {
  if (result === "same") return false;
  const incomplete = notes.some((note) => note.code === "LIST_INCOMPLETE" && note.what === `${what}s`);
  return result !== "not-claimed" || !incomplete;
}

function shown(against: NonNullable<ManifestReport["against"]>, view: View): NonNullable<ManifestReport["against"]> {
  const compared = against.compared.map(({ what, name, result, fields }) => ({
    ...{ what, name: shownName(name, view), result },
    fields: fields.map((field) => shownName(field, view)),
  }));
  return { server: against.server, compared };
}

async function compared(
  ledger: Ledger,
  offer: Offer,
  name: string,
  places: Places,
): Promise<NonNullable<ManifestReport["against"]>> {
  const server = serverNamed(name);
  const { policy } = (await settingsFor(server, places)).settings;
  const standing = await standingOf(ledger, server, policy);
  const common = standing?.definitions.filter(({ principals }) => principals === undefined) ?? [];
  const offered = common.map(({ definition }) => definition);
  if (!offered.some(({ address }) => address.kind === "tool" || address.kind === "prompt")) {
    throw new GateError(
      "NO_SERVER",
      `Cannot compare with ${server}: the ledger has seen no tool or prompt of it; run it once with countersign run ${server} -- <command...>`,
    );
  }
  return { server, compared: compareClaims(offer.definitions, offered) };
}

function offerOf(server: ServerName, path: string, { said }: Manifest): Offer {
  const reading = readManifest(server, said);
  if (reading.is === "offer") return reading.offer;
  const { code, page } = reading.because;
  // Every text was made of parts that were read already; but for its size, it is fit.
  if (code === "TOO_LARGE") throw problemOf(path, { code: "TOO_LARGE" });
  throw new RangeError(`definition ${page} of a manifest is no JSON`);
}

/** What a server offers and what a file says are never kept under one name: an approval of one would be one of the other. */
async function mustBeManifest(ledger: Ledger, server: ServerName): Promise<void> {
  const known = (await ledger.state()).servers.get(server);
  if (known === undefined || [...known.sightings.keys()].every((source) => source === "manifest")) return;
  throw new GateError(
    "USAGE",
    `Cannot keep this manifest as "${server}": that is a server of the ledger; give another name with --as, and --against ${server} to compare the two`,
  );
}

function nameFor(path: string): ServerName {
  const base = basename(resolve(path))
    .normalize("NFKD")
    .replace(/\.(?:mcpb|dxt|json|ya?ml|md)$/i, "")
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+|-+$/g, "")
    .slice(0, 64);
  const name = asServerName(base);
  if (name !== undefined) return name;
  throw new GateError("USAGE", `Cannot make a name of "${visible(path)}" for the ledger; give one with --as`);
}

function problemOf(path: string, problem: ManifestProblem): GateError {
  const usage = problem.code === "NOT_THERE" || problem.code === "NOT_KNOWN";
  return new GateError(
    usage ? "USAGE" : "INCOMPLETE",
    `Cannot read manifest "${visible(path)}": ${sayManifestProblem(problem)}`,
  );
}
