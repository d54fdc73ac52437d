import { addressKey, type Offer } from "@countersign/core";

/** Whether two offers of one source are the same to the letter: the same definitions, in the same order and spelling. */
export function isSameOffer(one: Offer, other: Offer): boolean {
  if (one.digest !== other.digest || one.definitions.length !== other.definitions.length) return false;
  const same = one.definitions.every(({ address, text }, index) => {
    const twin = other.definitions[index];
    return twin !== undefined && text === twin.text && addressKey(address) === addressKey(twin.address);
  });
  return same && JSON.stringify(one.malformed) === JSON.stringify(other.malformed);
}
