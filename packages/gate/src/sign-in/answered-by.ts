import {
  InsecureTokenEndpointError,
  IssuerMismatchError,
  OAuthError,
  RegistrationRejectedError,
} from "@modelcontextprotocol/client";
import { SignInError } from "./sign-in-error.ts";

/** Does one step with the SDK's functions, and makes of what they throw a failure that can be said. */
export async function answeredBy<T>(at: string, issuer: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof SignInError) throw error;
    const options = { cause: error };
    if (error instanceof OAuthError)
      throw new SignInError({ is: "TOKEN_REFUSED", issuer, error: shownCode(error.code) }, options);
    if (error instanceof RegistrationRejectedError)
      throw new SignInError({ is: "REGISTRATION_REFUSED", issuer, status: error.status }, options);
    if (error instanceof IssuerMismatchError) {
      if (error.kind === "authorization_response") throw new SignInError({ is: "MIXED_UP", issuer }, options);
      throw new SignInError({ is: "OTHER_ISSUER", issuer, detail: String(error.received) }, options);
    }
    if (error instanceof InsecureTokenEndpointError) throw new SignInError({ is: "PLAIN_HTTP", at }, options);
    // Whatever is left is of an answer that is not as its specification has it: no JSON, or JSON of another shape.
    if (error instanceof Error) throw new SignInError({ is: "BAD_ANSWER", at, detail: "SHAPE" }, options);
    throw error;
  }
}

/** RFC 6749 §5.2 and its extensions are of few characters; what is none is not repeated. */
export function shownCode(code: string): string {
  return /^[a-z][a-z0-9_.-]{0,63}$/.test(code) ? code : "UNKNOWN";
}
