import { describe, expect, test } from "vitest";
import { defaultConfigPath, defaultLedgerPath, type Whose } from "./paths.ts";

const ada: Whose = { env: {}, home: "/home/ada", platform: "linux" };
const mac: Whose = { env: {}, home: "/Users/ada", platform: "darwin" };
const windows: Whose = { env: {}, home: "C:\\Users\\ada", platform: "win32" };
const roaming = { APPDATA: "D:\\Roaming", LOCALAPPDATA: "D:\\Local" };
const xdg = { XDG_STATE_HOME: "/srv/state", XDG_CONFIG_HOME: "/srv/config" };

const table: readonly (readonly [note: string, whose: Whose, ledger: string, config: string])[] = [
  ["Linux", ada, "/home/ada/.local/state/countersign/ledger.db", "/home/ada/.config/countersign/countersign.jsonc"],
  ["Linux, XDG", { ...ada, env: xdg }, "/srv/state/countersign/ledger.db", "/srv/config/countersign/countersign.jsonc"],
  [
    "Linux, XDG relative or empty",
    { ...ada, env: { XDG_STATE_HOME: "state", XDG_CONFIG_HOME: "" } },
    ...(["/home/ada/.local/state/countersign/ledger.db", "/home/ada/.config/countersign/countersign.jsonc"] as const),
  ],
  [
    "Linux, with what Windows sets",
    { ...ada, env: { APPDATA: "/mnt/c/Roaming", LOCALAPPDATA: "/mnt/c/Local" } },
    ...(["/home/ada/.local/state/countersign/ledger.db", "/home/ada/.config/countersign/countersign.jsonc"] as const),
  ],
  ["macOS", mac, "/Users/ada/.local/state/countersign/ledger.db", "/Users/ada/.config/countersign/countersign.jsonc"],
  ["macOS, XDG", { ...mac, env: xdg }, "/srv/state/countersign/ledger.db", "/srv/config/countersign/countersign.jsonc"],
  [
    "Windows",
    { ...windows, env: roaming },
    ...(["D:\\Local\\countersign\\ledger.db", "D:\\Roaming\\countersign\\countersign.jsonc"] as const),
  ],
  [
    "Windows without its variables",
    windows,
    "C:\\Users\\ada\\AppData\\Local\\countersign\\ledger.db",
    "C:\\Users\\ada\\AppData\\Roaming\\countersign\\countersign.jsonc",
  ],
  [
    "Windows, XDG first",
    { ...windows, env: { ...roaming, XDG_STATE_HOME: "E:/state", XDG_CONFIG_HOME: "relative" } },
    ...(["E:\\state\\countersign\\ledger.db", "D:\\Roaming\\countersign\\countersign.jsonc"] as const),
  ],
];

describe("where the ledger and the user's config are", () => {
  for (const [note, whose, ledger, config] of table) {
    test(`${note} [windows.folders]`, () => {
      expect([defaultLedgerPath(whose), defaultConfigPath(whose)]).toEqual([ledger, config]);
    });
  }
});
