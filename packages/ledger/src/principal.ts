declare const brand: unique symbol;

/** For whom an event is: `Principal.id` of the gateway, which an issuer of tokens may have written a part of. */
export type PrincipalId = string & { readonly [brand]: "PrincipalId" };

/** Undefined for what no journal holds: nothing, what is longer than 1,024 characters, controls, and lone surrogates. */
export function asPrincipalId(text: string): PrincipalId | undefined {
  return /^[^\p{Cc}\p{Cs}]{1,1024}$/u.test(text) ? (text as PrincipalId) : undefined;
}

/** How many principals a server may have that are offered something of their own. */
export const mostPrincipals = 1_000;
