import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Host, HostPlace, Surroundings } from "../packages/gate/src/hosts/host.ts";
import { hosts } from "../packages/gate/src/hosts/hosts.ts";

/** The part of docs/hosts.md after `mark` is what the code knows of every host. `--write` writes it. */
export const mark =
  "<!-- Written by tools/check-host-docs.ts --write from packages/gate/src/hosts/known; do not edit below. -->";

export function hostDocs(): string {
  return `${[mark, "", ...summaryOf(), ...hosts.flatMap((host) => ["", ...sectionOf(host)])].join("\n")}\n`;
}

function summaryOf(): readonly string[] {
  return [
    "| host | called | an approval appears | files known from | approval known from |",
    "|---|---|---|---|---|",
    ...hosts.map(
      ({ id, title, approvalAppears, notes }) =>
        `| ${title} | \`${id}\` | ${appears[approvalAppears]} | ${origins[notes.files]} | ${origins[notes.approval]} |`,
    ),
  ];
}

const appears: Readonly<Record<Host["approvalAppears"], string>> = {
  "at-once": "at once",
  "after-reconnect": "after the server is reconnected",
  "after-restart": "after the host, or the session, is started again",
};

const origins = {
  documented: "its maker",
  read: "other tools' sources",
  reported: "reports",
  unverified: "nobody: unverified",
} as const;

function sectionOf(host: Host): readonly string[] {
  const rows = new Map<string, { readonly place: HostPlace; readonly paths: Map<string, string> }>();
  for (const surroundings of systems) {
    for (const place of host.files(surroundings)) {
      if (place.project !== undefined && place.project !== surroundings.cwd) continue;
      const path = shownPath(place, surroundings);
      const key = `${place.scope} ${path.replaceAll("\\", "/").replace(/^(?:~|[A-Z]:)?\//, "")} ${JSON.stringify(place.lists)}`;
      const row = rows.get(key) ?? { place, paths: new Map() };
      row.paths.set(surroundings.platform, path);
      rows.set(key, row);
    }
  }
  const lines = [...rows.values()].map(({ place, paths }) => {
    const where = paths.size === systems.length ? "all" : [...paths.keys()].map((one) => names[one]).join(", ");
    const keys = place.lists.map(({ at, shape }) =>
      at.length === 0 ? "the root" : `\`${at.join("\u2009→\u2009")}\`${shape === "listed" ? " (a list)" : ""}`,
    );
    const [path = ""] = paths.values();
    return `| ${place.scope} | ${where} | \`${path}\` | ${place.format === "jsonc" ? "JSON" : place.format} | ${keys.join(", ")} |`;
  });
  const variables = host.variables.map((syntax) => `\`${spelled[syntax]}\``);
  return [
    `## ${host.title}`,
    "",
    "| scope | system | file | format | servers at |",
    "|---|---|---|---|---|",
    ...lines,
    "",
    `Variables: ${variables.length === 0 ? "none are replaced" : variables.join(", ")}.${host.notes.quirks.map((quirk) => ` ${quirk}`).join("")}`,
  ];
}

const dollar = "$";
const spelled = {
  braced: `${dollar}{NAME}`,
  defaulted: `${dollar}{NAME:-default}`,
  prefixed: `${dollar}{env:NAME}`,
  secrets: `${dollar}{{ secrets.NAME }}`,
  bare: `${dollar}NAME`,
  percent: "%NAME%",
  curly: "{env:NAME}",
} as const;

const systems: readonly Surroundings[] = [
  { platform: "linux", home: "/~", cwd: "/project", env: new Map() },
  { platform: "darwin", home: "/~", cwd: "/project", env: new Map() },
  {
    ...{ platform: "win32", home: "C:\\~", cwd: "C:\\project" },
    env: new Map([
      ["APPDATA", "C:\\%APPDATA%"],
      ["LOCALAPPDATA", "C:\\%LOCALAPPDATA%"],
      ["ProgramData", "C:\\%ProgramData%"],
      ["ProgramFiles", "C:\\%ProgramFiles%"],
    ]),
  },
];

const names: Readonly<Record<string, string>> = { linux: "Linux", darwin: "macOS", win32: "Windows" };

function shownPath({ path, pattern = [], project }: HostPlace, { platform }: Surroundings): string {
  const separator = platform === "win32" ? "\\" : "/";
  const whole = [path, ...pattern].join(separator);
  if (project !== undefined) return whole.slice(project.length + 1).replaceAll("\\", "/");
  return whole.replace(/^(?:C:\\|\/)(?=[~%])/, "");
}

if (import.meta.main) {
  const path = join(resolve(import.meta.dirname, ".."), "docs/hosts.md");
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  const [before = ""] = text.split(mark);
  const now = before + hostDocs();
  if (process.argv.includes("--write")) writeFileSync(path, now);
  else if (text !== now) {
    console.error("docs/hosts.md is stale: run node tools/check-host-docs.ts --write");
    process.exitCode = 1;
  }
}
