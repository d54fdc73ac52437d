import { type Address, addressKey, type Digest, lists, type Ruling, type Source } from "@countersign/core";

/**
 * What the host of one connection believes: the definitions that it was last given, list by list; and what it was told of
 * that being no longer true.
 */
export class HostView {
  /** By `addressKey`. */
  readonly #shown = new Map<string, Digest>();
  readonly #served = new Map<Source, string>();
  /** The rulings that `#shown` is made of. */
  readonly #last = new Map<Source, readonly Ruling[]>();
  /** What a list had become when the host was last told; it is told once of each. */
  readonly #told = new Map<Source, string>();
  /** Lists of which the host was told that they changed, before it was known how. */
  readonly #toldBefore = new Set<Source>();

  show(source: Source, rulings: readonly Ruling[]): void {
    if (this.#last.get(source) !== rulings) {
      const { kind } = lists.get(source) ?? {};
      for (const key of this.#shown.keys()) if (key.startsWith(`${kind} `)) this.#shown.delete(key);
      for (const one of rulings)
        if (one.verdict === "bind") this.#shown.set(addressKey(one.address), one.rendering.digest);
      this.#last.set(source, rulings);
    }
    this.#serve(source, boundSet(rulings));
  }

  /** The host was told that it is not given this list, so that any list is news to it. */
  lacks(source: Source): void {
    this.#serve(source, noList);
  }

  /** Whether the host means this rendering when it names this definition, or was never shown the definition at all. */
  mayMean(address: Address, rendered: Digest): boolean {
    const shown = this.#shown.get(addressKey(address));
    return shown === undefined || shown === rendered;
  }

  /**
   * Whether the host believes in a list that these rulings would not give it now, and was not told so yet.
   *
   * @param rulings undefined where there is no list any more
   */
  isOutdated(source: Source, rulings: readonly Ruling[] | undefined): boolean {
    const served = this.#served.get(source);
    if (served === undefined) return false;
    const now = rulings === undefined ? noList : boundSet(rulings);
    return served !== now && this.#told.get(source) !== now;
  }

  /** The host was told that this list changed, by the server or because of it, before it was asked for again. */
  toldBefore(source: Source): void {
    this.#toldBefore.add(source);
  }

  wasToldBefore(source: Source): boolean {
    return this.#toldBefore.has(source);
  }

  /** The host knows that the list is not what it was given, but what these rulings make of it. */
  told(source: Source, rulings: readonly Ruling[] | undefined): void {
    this.#told.set(source, rulings === undefined ? noList : boundSet(rulings));
    this.#toldBefore.delete(source);
  }

  #serve(source: Source, set: string): void {
    this.#served.set(source, set);
    this.#told.delete(source);
    this.#toldBefore.delete(source);
  }
}

/** Unlike every set. */
const noList = "";

/** The same rulings are compared time and again. */
const sets = new WeakMap<readonly Ruling[], string>();

function boundSet(rulings: readonly Ruling[]): string {
  const known = sets.get(rulings);
  if (known !== undefined) return known;
  const bound = rulings.flatMap((one) =>
    one.verdict === "bind" ? [`${one.rendering.digest} ${addressKey(one.address)}`] : [],
  );
  const set = JSON.stringify(bound.sort());
  sets.set(rulings, set);
  return set;
}
