/** A name without case and separators: prose calls `resolve-library-id` "Resolve Library ID". */
export function nameKey(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}
