import { createHash } from "node:crypto";
import type { ServerName } from "@countersign/core";
import { z } from "zod";

/** What a sign-in is kept under, with its issuer: a server by its name, at one URL. At another URL there is none. */
export interface SignInPlace {
  readonly server: ServerName;
  /** As it is configured. */
  readonly url: URL;
}

export const keptSignInSchema = z.strictObject({
  version: z.literal(1),
  server: z.string(),
  resource: z.string(),
  issuer: z.string(),
  client: z.strictObject({
    /** `config`: its secret stands in the operator's config, and is not kept. */
    from: z.enum(["config", "metadata-document", "registration"]),
    id: z.string(),
    secret: z.string().optional(),
    authMethod: z.string().optional(),
  }),
  /** As the issuer's metadata said at the time. A refresh token goes nowhere else. */
  tokenEndpoint: z.string(),
  revocationEndpoint: z.string().optional(),
  /** `token_endpoint_auth_methods_supported`. */
  authMethods: z.array(z.string()),
  /** Where the server was found when it named the issuer. */
  reachedAt: z.enum(["loopback", "private", "public"]),
  /** RFC 8707: what the token was asked for. */
  indicator: z.string(),
  accessToken: z.string(),
  refreshToken: z.string().optional(),
  scope: z.string().optional(),
  /** Milliseconds since the epoch. */
  expires: z.number().optional(),
});

export type KeptSignIn = z.infer<typeof keptSignInSchema>;

/** Origin and path: what a token is for. A query may hold a key of the operator's, and no issuer is told that. */
export function resourceOf({ url }: Pick<SignInPlace, "url">): string {
  return `${url.origin}${url.pathname}`;
}

/** A name for files. The URL is hashed, with the query that the operator gave it. */
export function nameOf({ server, url }: SignInPlace): string {
  const whole = new URL(url);
  whole.hash = "";
  return `${server}.${hashOf(server, whole.href)}`;
}

/** Under which the tokens of one issuer are kept. */
export function tokensNameOf(name: string, issuer: string): string {
  return `${name}.${hashOf(issuer)}`;
}

function hashOf(...parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}
