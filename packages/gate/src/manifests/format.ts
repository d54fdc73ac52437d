import type { Said } from "./said.ts";

export const formats = [
  "skill",
  "skills",
  "mcpb",
  "server-json",
  "docker-catalogue",
  "claude-plugin",
  "gemini-extension",
  "openapi",
  "ai-plugin",
  "agent-card",
] as const;

export type Format = (typeof formats)[number];

/** What one manifest says. */
export interface Manifest {
  readonly format: Format;
  /** What it calls itself; whoever published it chose the name. */
  readonly name: string;
  readonly said: readonly Said[];
  readonly notes: readonly ManifestNote[];
}

/** Something to know about a manifest that no definition of it says. */
export type ManifestNote =
  /** It is signed. Nobody here has checked by whom. */
  | { readonly code: "SIGNATURE_NOT_CHECKED" }
  /** It says itself that the running server offers more than it lists. */
  | { readonly code: "LIST_INCOMPLETE"; readonly what: "tools" | "prompts" }
  /** Readers refuse it, or cut it. */
  | {
      readonly code:
        | "NAME_MISSING"
        | "NAME_TOO_LONG"
        | "NAME_UNLIKE_FOLDER"
        | "DESCRIPTION_MISSING"
        | "DESCRIPTION_TOO_LONG";
      readonly skill: string;
    }
  /** Its bytes are pinned, and no rule has read them. */
  | { readonly code: "FILES_UNREAD"; readonly files: number };

/** A definition for every tool or prompt that a list names, under a name that no running server's can have. */
export function claims(
  what: string,
  entries: readonly { readonly name: string; readonly text: string }[],
): readonly Said[] {
  return entries.map(({ name, text }) => ({ kind: "claim", name: `${what}:${name}`, text }));
}

/** All that a manifest says beside those. */
export function remainder(text: string): Said {
  return { kind: "claim", name: "manifest", text };
}
