/** What a host is called on the command line, as in `countersign wrap vscode`. */
export const hostIds = [
  ...["claude-code", "vscode", "cursor", "claude-desktop", "codex", "gemini-cli"],
  ...["windsurf", "zed", "cline", "roo", "kilo", "continue", "antigravity"],
  ...["goose", "lm-studio", "junie", "jetbrains-air", "copilot-jetbrains", "amazon-q", "kiro"],
  ...["opencode", "crush", "copilot-cli", "amp", "visual-studio", "warp", "trae"],
  ...["qoder", "kimi", "factory", "vibe"],
] as const satisfies readonly string[];

export type HostId = (typeof hostIds)[number];
