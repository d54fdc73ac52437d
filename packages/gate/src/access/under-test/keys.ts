import { type AccessKey, asKeyName, type KeyId } from "@countersign/ledger";
import { newKey } from "../key.ts";

export interface Keys {
  /** As the ledger would give them at this moment. */
  readonly all: () => Promise<ReadonlyMap<KeyId, AccessKey>>;
  /** Returns the key's text. */
  readonly add: (name: string, more?: Partial<AccessKey>) => string;
  readonly revoke: (text: string) => void;
}

export function someKeys(): Keys {
  const keys = new Map<KeyId, AccessKey>();
  return {
    all: async () => new Map(keys),
    add(text, more = {}) {
      const name = asKeyName(text);
      if (name === undefined) throw new RangeError(`${text} is not a key's name`);
      const { id, hash, text: key } = newKey();
      keys.set(id, { key: id, name, hash, by: "ada", at: 1_000, ...more });
      return key;
    },
    revoke(text) {
      for (const [id, key] of keys) {
        if (text.startsWith(`csk_${id}`)) keys.set(id, { ...key, revoked: { at: 2_000, by: "ada" } });
      }
    },
  };
}
