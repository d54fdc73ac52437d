import type { ManifestReport } from "../commands/manifest.ts";
import type { Comparison } from "../manifests/compare-claims.ts";
import type { ManifestNote } from "../manifests/format.ts";
import { sayDefinition } from "./say-definition.ts";
import { sayIgnored } from "./say-ignored.ts";
import { paint, type View } from "./view.ts";

export function sayManifest(report: ManifestReport, view: View): string {
  const { server, format, name, definitions, bound, notes, gone, against, recorded, ignored } = report;
  const withheld = definitions.filter(({ verdict }) => verdict !== "bind");
  const lines = [
    ...ignored.map(sayIgnored),
    `${paint(view, "bold", server)}: ${titles[format]}${name === undefined ? "" : ` ${name}`}, ${counted(definitions.length, "definition")}, ${bound} approved, ${withheld.length} waiting`,
    ...notes.map((note) => `  ${sayNote(note)}`),
    ...withheld.map((row) => sayDefinition(row, view, `countersign review ${server} shows all of it`)),
    ...gone.map((one) => `  ${paint(view, "yellow", "gone")}  ${one}, which was approved`),
  ];
  if (against !== undefined) {
    const apart = against.compared.filter(({ result }) => result !== "same");
    const same = against.compared.length - apart.length;
    lines.push(`beside what ${against.server} offers: ${same} as claimed, ${apart.length} not`);
    lines.push(...apart.map((one) => `  ${sayComparison(one)}`));
  }
  if (recorded && withheld.length > 0) lines.push(`to decide: countersign review ${server}`);
  return lines.join("\n");
}

const titles: Readonly<Record<ManifestReport["format"], string>> = {
  skill: "skill",
  skills: "skills",
  mcpb: "MCP bundle",
  "server-json": "registry entry",
  "docker-catalogue": "catalogue entry",
  "claude-plugin": "Claude Code plugin",
  "gemini-extension": "Gemini CLI extension",
  openapi: "OpenAPI document",
  "ai-plugin": "AI plugin",
  "agent-card": "agent card",
};

function sayNote(note: ManifestNote): string {
  switch (note.code) {
    case "SIGNATURE_NOT_CHECKED":
      return "it is signed; nobody here has checked by whom";
    case "LIST_INCOMPLETE":
      return `it says that its server has more ${note.what} than it lists`;
    case "FILES_UNREAD":
      return `${counted(note.files, "file")} pinned by digest alone: no rule has read ${note.files === 1 ? "it" : "them"}`;
    case "NAME_MISSING":
      return `${note.skill}: SKILL.md names no name`;
    case "NAME_TOO_LONG":
      return `${note.skill}: its name is longer than 64 characters, and hosts refuse it`;
    case "NAME_UNLIKE_FOLDER":
      return `${note.skill}: its name is not that of its folder`;
    case "DESCRIPTION_MISSING":
      return `${note.skill}: SKILL.md has no description`;
    case "DESCRIPTION_TOO_LONG":
      return `${note.skill}: its description is longer than 1,024 characters, and hosts refuse it`;
  }
}

function sayComparison({ what, name, result, fields }: Comparison): string {
  switch (result) {
    case "same":
      return `${what} ${name} is as claimed`;
    case "claims-otherwise":
      return `${what} ${name} is offered otherwise: ${fields.join(", ")}`;
    case "not-offered":
      return `${what} ${name} is claimed, and not offered`;
    case "not-claimed":
      return `${what} ${name} is offered, and not claimed`;
  }
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
