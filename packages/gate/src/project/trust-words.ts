/** The command that trusts a file. A repository chooses its folders' names: one that a shell might read is not repeated. */
export function trustWords(kind: "config" | "ledger", path: string): string {
  const words = kind === "ledger" ? "countersign trust --ledger" : "countersign trust";
  return /^[A-Za-z0-9_./@+:\\-]+$/.test(path) ? `"${words} ${path}"` : `"${words} <its path>"`;
}
