import { type Address, addressKey, type Digest, lists, type Ruling, type Source } from "@countersign/core";

/** What the host of one connection believes: the definitions that it was last given, list by list. */
export class HostView {
  /** By `addressKey`. */
  readonly #shown = new Map<string, Digest>();
  readonly #served = new Map<Source, readonly Ruling[]>();

  show(source: Source, rulings: readonly Ruling[]): void {
    if (this.#served.get(source) === rulings) return;
    const { kind } = lists.get(source) ?? {};
    for (const key of this.#shown.keys()) if (key.startsWith(`${kind} `)) this.#shown.delete(key);
    for (const one of rulings)
      if (one.verdict === "bind") this.#shown.set(addressKey(one.address), one.rendering.digest);
    this.#served.set(source, rulings);
  }

  /** Whether the host means this rendering when it names this definition, or was never shown the definition at all. */
  mayMean(address: Address, rendered: Digest): boolean {
    const shown = this.#shown.get(addressKey(address));
    return shown === undefined || shown === rendered;
  }

  /** Whether the host was given a list that these rulings would not give it now. */
  isOutdated(source: Source, rulings: readonly Ruling[]): boolean {
    const served = this.#served.get(source);
    return served !== undefined && served !== rulings && boundSet(served) !== boundSet(rulings);
  }

  /** The host was told that this list changed; it is told once. */
  told(source: Source): void {
    this.#served.delete(source);
  }
}

function boundSet(rulings: readonly Ruling[]): string {
  const bound = rulings.flatMap((one) =>
    one.verdict === "bind" ? [`${one.rendering.digest} ${addressKey(one.address)}`] : [],
  );
  return JSON.stringify(bound.sort());
}
