import type { Address } from "@countersign/core";

/** Addresses by what their names are taken for. A question costs the same however many there are. */
export class Namesakes {
  /** The first address of each name. */
  readonly #all = new Map<string, Map<string, Address>>();

  add(key: string, address: Address): void {
    if (key === "") return;
    const same = this.#all.get(key);
    if (same === undefined) this.#all.set(key, new Map([[address.name, address]]));
    else if (!same.has(address.name)) same.set(address.name, address);
  }

  /** An address under this key that is not called `name`. */
  other(key: string, name: string): Address | undefined {
    for (const [one, address] of this.#all.get(key) ?? []) if (one !== name) return address;
    return undefined;
  }
}
