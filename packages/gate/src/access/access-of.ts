import type { Access } from "./admission.ts";

export function accessOf({ anonymous }: { readonly anonymous: boolean }): Access {
  return {
    admit: async () =>
      anonymous
        ? { is: "admitted", principal: { id: "anonymous" }, by: { is: "nothing" } }
        : { is: "refused", because: { code: "NO_CREDENTIAL" } },
    holding: async () => () => anonymous,
    issuer: undefined,
    anonymous,
  };
}
