declare const brand: unique symbol;

/** For whom an event is: `Principal.id` of the gateway, which an issuer of tokens may have written a part of. */
export type PrincipalId = string & { readonly [brand]: "PrincipalId" };

/** Undefined for what no journal holds: nothing, what is longer than 1,024 characters, controls, and lone surrogates. */
export function asPrincipalId(text: string): PrincipalId | undefined {
  return /^[^\p{Cc}\p{Cs}]{1,1024}$/u.test(text) ? (text as PrincipalId) : undefined;
}

/**
 * How many principals of a server the ledger knows what they are offered of their own. Each has a quota of its own, so that this
 * is what bounds the journal, and nobody's flood is another's trouble.
 */
export const mostPrincipals = 64;

/** For so long, in milliseconds, nobody takes the place of another. */
export const keptFor = 24 * 3_600_000;
