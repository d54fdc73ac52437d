import { visible } from "@countersign/core";
import { paint, type View } from "./view.ts";

/** A launch that floats is pinned by its words only. */
export function sayFloating(because: string, view: View): string {
  return paint(view, "yellow", `floating: ${becauses.get(because) ?? visible(because)}`);
}

const becauses: ReadonlyMap<string, string> = new Map([
  ["unpinned-package", "it fetches a package without an exact version, so it can change by itself"],
  ["remote-source", "it runs what a remote place holds just then, so it can change by itself"],
  ["shell", "a shell decides what it runs"],
  ["unpinned-image", "it runs an image without a digest, so it can change by itself"],
  ["project-file", "a file of the folder that it starts in decides what it runs"],
]);
