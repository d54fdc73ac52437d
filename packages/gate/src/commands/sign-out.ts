import type { ServerName } from "@countersign/core";
import { type ExitCode, exitCodes } from "../gate-error.ts";
import { exclusively } from "../sign-in/exclusively.ts";
import { nameOf } from "../sign-in/kept-sign-in.ts";
import { ownConfigOf, signInSettingsIn } from "../sign-in/own-config.ts";
import { placeAt } from "../sign-in/place-of.ts";
import { type Revocation, revoke } from "../sign-in/revoke.ts";
import { SignInError } from "../sign-in/sign-in-error.ts";
import type { SignInSettings } from "../sign-in/sign-in-settings.ts";
import { openSignInStore } from "../sign-in/sign-in-store.ts";
import type { Places } from "./open.ts";
import { serverNamed } from "./sign-in.ts";

export interface SignOutOptions extends Pick<Places, "config"> {
  readonly server: string;
  /** Only at this one. */
  readonly url?: string;
}

export interface SignOutReport {
  readonly server: ServerName;
  readonly signedOut: readonly SignedOut[];
  readonly exitCode: ExitCode;
}

export interface SignedOut {
  readonly resource: string;
  /** Server-written. */
  readonly issuer: string;
  readonly revocation: Revocation;
}

/** Revokes the tokens of a server where its issuer can, and forgets them in any case. */
export async function signOut(options: SignOutOptions): Promise<SignOutReport> {
  const server = serverNamed(options.server, "sign out of");
  const settings = signInSettingsIn(server, await ownConfigOf(server, options.config));
  const store = openSignInStore();
  const only = options.url === undefined ? undefined : nameOf(placeAt(server, options.url));
  const marks = (await store.marks()).filter((mark) => mark.server === server && (only ?? mark.name) === mark.name);
  const signedOut: SignedOut[] = [];
  for (const mark of marks) {
    const { name, resource, issuer } = mark;
    await exclusively({ name, patience: 10_000 }, async () => {
      const revocation = await revoked(() => store.tokens(mark), resource, settings);
      await store.forget(name);
      signedOut.push({ resource, issuer, revocation });
    });
  }
  const complete = signedOut.every(({ revocation }) => revocation.is !== "failed");
  return { server, signedOut, exitCode: complete ? exitCodes.clean : exitCodes.incomplete };
}

async function revoked(
  tokens: () => ReturnType<ReturnType<typeof openSignInStore>["tokens"]>,
  resource: string,
  settings: SignInSettings,
): Promise<Revocation> {
  try {
    const kept = await tokens();
    return kept === undefined ? { is: "no-endpoint" } : await revoke(kept, new URL(resource), settings);
  } catch (error) {
    // Tokens that cannot be read are forgotten all the same, and it is said that they live on.
    if (error instanceof SignInError) return { is: "failed", failure: error.failure };
    throw error;
  }
}
