/** Which tokens are taken, as the operator's config says it. */
export interface JwtSettings {
  /** Where the keys are that sign them: a URL, or the absolute path of a file. */
  readonly jwks: string;
  readonly issuer: string;
  /** Any of these; `<server>` stands for the name of the server that is asked for. */
  readonly audience: readonly string[];
  readonly algorithms: readonly string[];
  /** Seconds by which clocks may differ. */
  readonly clockTolerance: number;
  /** The claim that names the servers which a token is for. Absent: all. */
  readonly servers?: string;
  /** All of these it must have. */
  readonly scopes: readonly string[];
}

/** Signatures by a key that only the issuer has. With a shared secret, whoever can check a token can make one. */
export const tokenAlgorithms = [
  ...(["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"] as const),
  ...(["ES256", "ES384", "ES512", "EdDSA", "Ed25519"] as const),
] as const;
