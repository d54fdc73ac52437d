import type { Effect, Lines } from "@countersign/core";
import type { ExitCode } from "../gate-error.ts";
import { version } from "../version.ts";
import { levels, type SarifRule, sarifRule } from "./sarif-rules.ts";
import { type Taxonomy, taxonomies } from "./taxonomies.ts";

/** One result. Everything in it may be shown to whoever reads the file. */
export interface SarifResult {
  readonly rule: string;
  readonly effect: Effect;
  readonly message: string;
  readonly is: "new" | "updated" | "unchanged" | "absent";
  readonly acknowledged: boolean;
  readonly fingerprint: string;
  /** Relative to the repository, with `/`. */
  readonly file?: string;
  readonly lines?: Lines;
  /** `files/read_text_file/$.description`. */
  readonly logical?: { readonly name: string; readonly qualified: string };
}

export interface SarifRun {
  /** What was done: the last word of `countersign/check`. */
  readonly verb: "check" | "scan";
  readonly results: readonly SarifResult[];
  /** What could not be looked at. */
  readonly incomplete: readonly {
    readonly code: string;
    readonly message: string;
    readonly file?: string;
    readonly line?: number;
  }[];
  readonly exitCode: ExitCode;
}

/** A log of SARIF 2.1.0 with one run. Comments cite its clauses. */
export async function sarifOf({ verb, results, incomplete, exitCode }: SarifRun): Promise<object> {
  const ids = [...new Set(results.map(({ rule }) => rule))].sort();
  const rules = await Promise.all(ids.map(sarifRule));
  const used = taxonomies.filter(({ prefix }) => rules.some(({ taxa }) => taxa.some((id) => id.startsWith(prefix))));
  return {
    $schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            ...{ name: "Countersign", version, semanticVersion: version },
            rules: rules.map((rule) => descriptor(rule, used)),
            supportedTaxonomies: used.map(({ name }, index) => ({ name, index })),
          },
        },
        taxonomies: used.map((taxonomy) => component(taxonomy, rules)),
        automationDetails: { id: `countersign/${verb}/` },
        columnKind: "utf16CodeUnits",
        originalUriBaseIds: { [base]: { description: { text: "The root of the repository." } } },
        invocations: [
          {
            // §3.20.14: a tool that could not look at everything has not succeeded.
            executionSuccessful: incomplete.length === 0,
            ...{ exitCode, exitCodeDescription: exitWords[exitCode] },
            toolExecutionNotifications: incomplete.map(({ code, message, file, line }) => ({
              ...{ level: "error", descriptor: { id: code }, message: { text: plain(message) } },
              ...(file === undefined ? {} : { locations: [{ physicalLocation: placeIn(file, line) }] }),
            })),
          },
        ],
        results: results.map((result) => resultOf(result, ids.indexOf(result.rule), rules, used)),
      },
    ],
  };
}

const base = "%SRCROOT%";

const exitWords: Readonly<Record<ExitCode, string>> = {
  0: "clean",
  1: "findings",
  2: "drift, or something unapproved",
  3: "usage or config",
  4: "incomplete",
};

function descriptor({ id, summary, help, severity, level, taxa }: SarifRule, used: readonly Taxonomy[]) {
  return {
    id,
    name: id.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    shortDescription: { text: plain(summary) },
    fullDescription: { text: plain(summary) },
    help: { text: plain(withoutMarks(help)), markdown: help },
    defaultConfiguration: { level },
    relationships: taxa.flatMap((taxon) => {
      const target = referenceOf(taxon, used);
      return target === undefined ? [] : [{ target, kinds: ["relevant"] }];
    }),
    properties: { "security-severity": severity, tags: ["security", "mcp", ...taxa] },
  };
}

function component({ name, organization, version, prefix, names }: Taxonomy, rules: readonly SarifRule[]) {
  const ids = [...new Set(rules.flatMap(({ taxa }) => taxa))].filter((id) => id.startsWith(prefix)).sort();
  return {
    ...{ name, organization, version },
    shortDescription: { text: name },
    taxa: ids.map((id) => ({ id, ...(names.has(id) ? { name: names.get(id) } : {}) })),
  };
}

function referenceOf(id: string, used: readonly Taxonomy[]) {
  const index = used.findIndex(({ prefix }) => id.startsWith(prefix));
  const taxonomy = used[index];
  return taxonomy === undefined ? undefined : { id, toolComponent: { name: taxonomy.name, index } };
}

function resultOf(result: SarifResult, ruleIndex: number, rules: readonly SarifRule[], used: readonly Taxonomy[]) {
  const { rule, effect, message, is, acknowledged, fingerprint, file, lines, logical } = result;
  const { taxa = [], severity } = rules[ruleIndex] ?? {};
  const location = {
    ...(file === undefined ? {} : { physicalLocation: placeIn(file, lines?.first, lines?.last) }),
    ...(logical === undefined
      ? {}
      : { logicalLocations: [{ name: logical.name, fullyQualifiedName: logical.qualified, kind: "member" }] }),
  };
  return {
    ...{ ruleId: rule, ruleIndex, level: levels[effect], message: { text: plain(message) }, baselineState: is },
    locations: Object.keys(location).length === 0 ? [] : [location],
    partialFingerprints: { "countersignSurface/v1": fingerprint },
    taxa: taxa.flatMap((taxon) => referenceOf(taxon, used) ?? []),
    // §3.27.23: an empty list says that it is not suppressed, where others are.
    suppressions: acknowledged
      ? [{ kind: "external", status: "accepted", justification: "Acknowledged when the definition was approved." }]
      : [],
    properties: { "security-severity": severity },
  };
}

function placeIn(file: string, startLine = 1, endLine = startLine) {
  const uri = file.split("/").map(encodeURIComponent).join("/");
  return { artifactLocation: { uri, uriBaseId: base }, region: { startLine, endLine } };
}

/** §3.11.6: brackets would make a link of it. */
function plain(text: string): string {
  return text.replace(/[\\[\]]/g, "\\$&").replace(/[{}]/g, "$&$&");
}

function withoutMarks(markdown: string): string {
  return markdown.replace(/^#+ /gm, "").replace(/`/g, "");
}
