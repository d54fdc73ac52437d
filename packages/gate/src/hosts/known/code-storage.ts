import type { Folders } from "../folders.ts";
import type { HostPlace, ServerList } from "../host.ts";
import { place } from "../places.ts";

/** VS Code, and the editors made from it that take the same extensions. */
const editors = ["Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf"];

/** The file of settings that an extension keeps in each editor it may be installed in, or on the far end of one. */
export function extensionFiles(
  { home, userData }: Folders,
  extension: string,
  name: string,
  contents: { readonly lists: readonly ServerList[] },
): readonly HostPlace[] {
  const below = ["globalStorage", extension, "settings", name];
  return [
    ...editors.map((editor) => place("user", userData(editor, "User", ...below), contents)),
    place("user", home(".vscode-server", "data", "User", ...below), contents),
  ];
}
