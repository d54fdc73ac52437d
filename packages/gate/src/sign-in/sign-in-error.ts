/**
 * Why nobody is signed in. `at`, `issuer`, `host`, `error` and `detail` may be what a server wrote, so only `print/say-sign-in.ts`
 * makes sentences of them. No token, code or secret stands here.
 */
export type SignInFailure =
  | { readonly is: "UNREACHABLE"; readonly at: string; readonly because: string }
  | { readonly is: "REDIRECTED"; readonly at: string; readonly to: string }
  | { readonly is: "PLAIN_HTTP"; readonly at: string }
  | { readonly is: "NOT_A_WEB_ADDRESS"; readonly at: string }
  /** A server that is reached over the internet named something inside of this network or this machine. */
  | { readonly is: "PRIVATE_ADDRESS"; readonly at: string }
  | { readonly is: "TOO_LARGE"; readonly at: string }
  | { readonly is: "TOO_SLOW"; readonly at: string }
  | { readonly is: "BAD_ANSWER"; readonly at: string; readonly detail: BadAnswer }
  | { readonly is: "NO_AUTHORIZATION_SERVER"; readonly at: string }
  /** RFC 9728 §3.3: the metadata speak of another resource. */
  | { readonly is: "OTHER_RESOURCE"; readonly at: string; readonly detail: string }
  /** RFC 8414 §3.3: the metadata speak of another issuer. */
  | { readonly is: "OTHER_ISSUER"; readonly issuer: string; readonly detail: string }
  | { readonly is: "ISSUER_CHANGED"; readonly issuer: string; readonly was: string }
  | { readonly is: "NO_PKCE"; readonly issuer: string }
  | { readonly is: "NO_CLIENT"; readonly issuer: string }
  | { readonly is: "REGISTRATION_REFUSED"; readonly issuer: string; readonly status: number }
  | { readonly is: "BAD_AUTHORIZATION_ENDPOINT"; readonly because: BadEndpoint; readonly at: string }
  /** The answer at the loopback address was not of this issuer (RFC 9207). */
  | { readonly is: "MIXED_UP"; readonly issuer: string }
  | { readonly is: "DENIED"; readonly issuer: string; readonly error: string }
  | { readonly is: "NO_ANSWER"; readonly minutes: number }
  | { readonly is: "STOPPED" }
  | { readonly is: "TOKEN_REFUSED"; readonly issuer: string; readonly error: string }
  | { readonly is: "BAD_TOKEN"; readonly issuer: string; readonly because: "TYPE" | "CHARACTERS" }
  | { readonly is: "WRONG_AUDIENCE"; readonly issuer: string; readonly detail: string }
  /** What is kept, or is to be kept, cannot be used. `path` is ours. */
  | { readonly is: "UNSAFE_FILE"; readonly path: string; readonly because: UnsafeFile }
  | { readonly is: "NOT_KEPT"; readonly path: string; readonly because: string }
  | { readonly is: "KEYCHAIN"; readonly because: string }
  | { readonly is: "NO_PORT"; readonly port: number; readonly because: string }
  | { readonly is: "BUSY" };

export type BadAnswer = "COMPRESSED" | "STATUS" | "SHAPE";

export type BadEndpoint =
  | "NOT_A_URL"
  | "NOT_HTTPS"
  | "USER"
  | "FRAGMENT"
  | "TOO_LONG"
  | "CHARACTERS"
  | "PRIVATE_ADDRESS";

export type UnsafeFile = "NOT_A_FILE" | "NOT_YOURS" | "OTHERS_CAN_READ" | "NO_RECORD";

export class SignInError extends Error {
  override readonly name = "SignInError";
  readonly failure: SignInFailure;

  constructor(failure: SignInFailure, options?: ErrorOptions) {
    super(failure.is, options);
    this.failure = failure;
  }
}
