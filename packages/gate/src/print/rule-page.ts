import { readFile } from "node:fs/promises";

/** The page of a rule, Markdown. It lies beside the bundle; in the repository it is among the docs. */
export async function rulePage(rule: string): Promise<string> {
  try {
    return await readFile(new URL(`./rules/${rule}.md`, import.meta.url), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return await readFile(new URL(`../../../../docs/rules/${rule}.md`, import.meta.url), "utf8");
  }
}

/** What a server's author can do about a finding, as one paragraph of its page says. */
export async function remedyOf(rule: string): Promise<string> {
  const [, rest = ""] = (await rulePage(rule)).split("\n## Remedy\n");
  const [remedy = ""] = rest.split("\n## ");
  return remedy.trim().replaceAll(/\s*\n\s*/g, " ");
}
