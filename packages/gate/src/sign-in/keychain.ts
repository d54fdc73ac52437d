import { SignInError } from "./sign-in-error.ts";

/** The keychain of the system, where there is one that can be used. */
export interface Keychain {
  get(account: string): Promise<string | undefined>;
  set(account: string, secret: string): Promise<void>;
  remove(account: string): Promise<void>;
}

/** Undefined where the package was not installed: it is optional, and has no build for every system. */
export async function systemKeychain(): Promise<Keychain | undefined> {
  let AsyncEntry: typeof import("@napi-rs/keyring").AsyncEntry;
  try {
    ({ AsyncEntry } = await import("@napi-rs/keyring"));
  } catch {
    // Not installed, no build for this system, or a library of the system that it needs is missing: the same to us.
    return undefined;
  }
  // A locked keychain asks a person, who may be away.
  const patience = () => AbortSignal.timeout(60_000);
  return {
    async get(account) {
      try {
        return (await new AsyncEntry(service, account).getPassword(patience())) ?? undefined;
      } catch (error) {
        throw new SignInError({ is: "KEYCHAIN", because: String(error) }, { cause: error });
      }
    },
    async set(account, secret) {
      await new AsyncEntry(service, account).setPassword(secret, patience());
    },
    async remove(account) {
      try {
        await new AsyncEntry(service, account).deletePassword(patience());
      } catch (error) {
        throw new SignInError({ is: "KEYCHAIN", because: String(error) }, { cause: error });
      }
    },
  };
}

const service = "countersign";
