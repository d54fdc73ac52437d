import { readFile } from "node:fs/promises";

/** A rule's page, Markdown. It lies beside the bundle; in the repository it is docs/rules/<id>.md. */
export function rulePage(id: string): Promise<string> {
  return readFile(new URL(`./rules/${id}.md`, import.meta.url), "utf8");
}

/** What a server's author can do about what a rule finds: a section that every page has. */
export async function remedyOf(id: string): Promise<string> {
  const [, remedy = ""] = (await rulePage(id)).split(/^## Remedy$/m);
  return remedy.replace(/^## [\s\S]*/m, "").trim();
}
