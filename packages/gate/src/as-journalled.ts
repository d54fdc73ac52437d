import {
  addressKey,
  canonicalize,
  contractOf,
  type Offer,
  offerDigest,
  planOf,
  type RawDefinition,
  type Snapshot,
} from "@countersign/core";

/**
 * An offer as the journal takes it: a definition that differs from the approved one only at places for which the operator
 * has set a text of his own counts as the approved one. A server that puts the time into a `default` would otherwise fill
 * the journal with what nobody reads.
 */
export function asJournalled(offer: Offer, snapshot: Snapshot): Offer {
  let replaced = false;
  const definitions = offer.definitions.map((definition) => {
    const approved = approvedInstead(definition, snapshot);
    replaced ||= approved !== undefined;
    return approved ?? definition;
  });
  return replaced ? { ...offer, definitions, digest: offerDigest(definitions) } : offer;
}

function approvedInstead(definition: RawDefinition, { bindings, texts }: Snapshot): RawDefinition | undefined {
  const { address, text, received } = definition;
  const binding = bindings.get(addressKey(address));
  if (binding?.plan.set === undefined || binding.received === received) return undefined;
  const approved = texts.get(binding.received);
  if (approved === undefined) return undefined; // the ruling will say that it is missing
  const onlySet = planOf("as-sent", binding.plan.set, false);
  const apart = (one: string) => canonicalize(contractOf(address.kind, one, onlySet));
  return apart(text) === apart(approved) ? { ...definition, text: approved, received: binding.received } : undefined;
}
