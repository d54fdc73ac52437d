/** Whoever shows no credential, where the operator lets such in. */
export const anonymous = "anonymous";

/** Who calls, under a name that no server chose: `key:<name>`, `jwt:<issuer> <subject>` or `anonymous`. */
export interface Principal {
  readonly id: string;
}
