/** What a host is called on the command line, as in `countersign wrap vscode`. */
export const hostIds = [
  ...["claude-code", "vscode", "cursor", "claude-desktop", "codex", "gemini-cli"],
] as const satisfies readonly string[];

export type HostId = (typeof hostIds)[number];
