/** What the operator's config says of signing in to one server. All of it may be absent. */
export interface SignInSettings {
  /** A client that was registered with the issuer by hand. */
  readonly clientId?: string;
  /** Already expanded. */
  readonly clientSecret?: string;
  /** Where the operator publishes a client-id metadata document. */
  readonly clientMetadataUrl?: string;
  /** Asked for where the server does not say what it needs. */
  readonly scope?: string;
  /** Of the loopback redirect, for a client that was registered with one. */
  readonly port?: number;
  /** What a token may be for beside the server itself, where the issuer knows it by another URL. */
  readonly audience?: string;
}
