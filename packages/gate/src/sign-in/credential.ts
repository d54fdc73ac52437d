import { type KeptSignIn, nameOf, type SignInPlace } from "./kept-sign-in.ts";
import type { Person } from "./person.ts";
import { SignInError, type SignInFailure } from "./sign-in-error.ts";
import type { SignInSettings } from "./sign-in-settings.ts";
import type { SignInStore } from "./sign-in-store.ts";

/** What happens to the sign-in of one server, for its log. */
export type SignInEvent =
  | { readonly is: "signed-in"; readonly issuer: string }
  | { readonly is: "refreshed" }
  /** Somebody has to sign in, and here nobody can be asked. Absent: nobody had signed in. */
  | { readonly is: "needs-sign-in"; readonly failure?: SignInFailure }
  /** The token that was just issued is not taken. */
  | { readonly is: "refused-at-once" }
  /** The server asks for more than the token may do, and here nobody can be asked, or has been asked too often. */
  | { readonly is: "needs-scope"; readonly scope: string }
  /** The token that is kept cannot be had. */
  | { readonly is: "not-had"; readonly failure: SignInFailure };

export interface CredentialOptions {
  readonly place: SignInPlace;
  readonly settings: SignInSettings;
  readonly store: SignInStore;
  /** Absent where there is nobody to ask, as in a gateway. */
  readonly person?: Person;
  readonly report: (event: SignInEvent) => void;
  readonly now?: () => number;
  /** The folder of the locks. */
  readonly folder?: string;
  readonly signal?: AbortSignal;
}

/** A 401, or a 403 that asks for more scope. */
export interface TokenChallenge {
  readonly status: 401 | 403;
  /** Server-written. */
  readonly wwwAuthenticate: string | undefined;
}

/**
 * The token of one server at one URL, as long as a connection with it lasts: what is kept, refreshed when it is over, and asked
 * for anew where there is a person. What signs in and refreshes is loaded when it is first needed.
 */
export class Credential {
  readonly #options: CredentialOptions;
  readonly #now: () => number;
  #kept: KeptSignIn | undefined;
  #stamp: string | undefined;
  /** The token that was last sent. */
  #sent: string | undefined;
  /** The one that was last had from the issuer here, and when. */
  #fresh: { readonly token: string; readonly at: number } | undefined;
  #underway: Promise<boolean> | undefined;
  /** A person was asked, and it came to nothing: they are not asked again before somebody else has signed in. */
  #gaveUp = false;
  #stepUps = 0;

  constructor(options: CredentialOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** For one request to the server. Rejects where a token is kept that cannot be had. */
  async headers(): Promise<ReadonlyMap<string, string>> {
    try {
      let kept = await this.#current();
      if (kept?.refreshToken !== undefined && this.#isOver(kept)) {
        await this.#alone(() => this.#refreshed());
        kept = await this.#current();
      }
      this.#sent = kept?.accessToken;
      return new Map(kept === undefined ? [] : [["authorization", `Bearer ${kept.accessToken}`]]);
    } catch (error) {
      if (error instanceof SignInError) this.#options.report({ is: "not-had", failure: error.failure });
      throw error;
    }
  }

  /** Whether the request is to be sent once more. Whoever is challenged meanwhile waits for the same answer. */
  async unauthorized(challenge: TokenChallenge): Promise<boolean> {
    return this.#alone(() => this.#answer(challenge));
  }

  #alone(act: () => Promise<boolean>): Promise<boolean> {
    this.#underway ??= this.#exclusively(act).finally(() => {
      this.#underway = undefined;
    });
    return this.#underway;
  }

  async #exclusively(act: () => Promise<boolean>): Promise<boolean> {
    const { place, folder, signal, report } = this.#options;
    const { exclusively } = await import("./exclusively.ts");
    const turn = {
      ...{ name: nameOf(place), patience },
      ...(folder === undefined ? {} : { folder }),
      ...(signal === undefined ? {} : { signal }),
    };
    try {
      return await exclusively(turn, act);
    } catch (error) {
      if (!(error instanceof SignInError)) throw error;
      report({ is: "needs-sign-in", failure: error.failure });
      return false;
    }
  }

  async #answer({ status, wwwAuthenticate }: TokenChallenge): Promise<boolean> {
    const { extractWWWAuthenticateParams } = await import("@modelcontextprotocol/client");
    const headers = new Headers(wwwAuthenticate === undefined ? {} : { "www-authenticate": wwwAuthenticate });
    const challenge = extractWWWAuthenticateParams(new Response(null, { status, headers }));
    const refused = this.#sent;
    const kept = await this.#current();
    // Another process was first.
    if (kept !== undefined && kept.accessToken !== refused) return true;
    if (status === 403) return this.#stepUp(kept, challenge);
    if (kept !== undefined && this.#fresh?.token === kept.accessToken && this.#now() - this.#fresh.at < atOnce) {
      if (!this.#gaveUp) this.#options.report({ is: "refused-at-once" });
      this.#gaveUp = true;
      return false;
    }
    if (kept?.refreshToken !== undefined && (await this.#refreshed())) return true;
    return this.#ask(kept, challenge);
  }

  /** Under the lock. */
  async #refreshed(): Promise<boolean> {
    const { place, settings, store, report } = this.#options;
    const kept = await this.#current();
    if (kept === undefined || kept.refreshToken === undefined) return false;
    // Another process was first.
    if (kept.accessToken !== this.#sent && !this.#isOver(kept)) return true;
    const { refresh } = await import("./refresh.ts");
    try {
      const next = await refresh(kept, { place, settings, now: this.#now, ...this.#signal() });
      await store.write(place, next);
      this.#fresh = { token: next.accessToken, at: this.#now() };
      report({ is: "refreshed" });
      return true;
    } catch (error) {
      if (!(error instanceof SignInError)) throw error;
      // An issuer that is not reached may be back in a minute; one that refuses has revoked it. Who it was stays known.
      if (error.failure.is !== "TOKEN_REFUSED") throw error;
      const { refreshToken: _, ...rest } = kept;
      await store.write(place, rest);
      return false;
    }
  }

  async #stepUp(
    kept: KeptSignIn | undefined,
    challenge: { scope?: string; resourceMetadataUrl?: URL },
  ): Promise<boolean> {
    const { isStrictScopeSuperset } = await import("@modelcontextprotocol/client");
    const { scope } = challenge;
    const asksMore = scope !== undefined && isStrictScopeSuperset(scope, kept?.scope);
    if (!asksMore || this.#options.person === undefined || this.#stepUps >= mostStepUps) {
      this.#options.report({ is: "needs-scope", scope: scope ?? "" });
      return false;
    }
    this.#stepUps++;
    return this.#ask(kept, challenge, scope);
  }

  async #ask(
    known: KeptSignIn | undefined,
    challenge: { readonly scope?: string; readonly resourceMetadataUrl?: URL },
    more?: string,
  ): Promise<boolean> {
    const { place, settings, store, person, report } = this.#options;
    if (person === undefined || this.#gaveUp) {
      report({ is: "needs-sign-in" });
      return false;
    }
    const { askPerson } = await import("./ask-person.ts");
    this.#gaveUp = true;
    const signedIn = await askPerson({
      ...{ place, settings, person, known, challenge, anyIssuer: false, now: this.#now },
      ...(more === undefined ? {} : { more }),
      ...this.#signal(),
    });
    await store.write(place, signedIn);
    this.#gaveUp = false;
    this.#fresh = { token: signedIn.accessToken, at: this.#now() };
    report({ is: "signed-in", issuer: signedIn.issuer });
    return true;
  }

  /** What is kept now, by this process or another. */
  async #current(): Promise<KeptSignIn | undefined> {
    const { place, store } = this.#options;
    const stamp = await store.stamp(place);
    if (stamp !== undefined && stamp === this.#stamp) return this.#kept;
    this.#kept = stamp === undefined ? undefined : await store.read(place);
    this.#stamp = stamp;
    if (this.#kept?.accessToken !== this.#fresh?.token) this.#gaveUp = false;
    return this.#kept;
  }

  #isOver({ expires }: KeptSignIn): boolean {
    return expires !== undefined && expires - this.#now() < early;
  }

  #signal(): { signal?: AbortSignal } {
    return this.#options.signal === undefined ? {} : { signal: this.#options.signal };
  }
}

/** Milliseconds: while another process has somebody sign in, it is waited for. */
const patience = 6 * 60_000;

/** How long before its end a token is not used any more: a request takes a while, and clocks differ. */
const early = 30_000;

/** A token that is refused so soon after it was issued was never good. */
const atOnce = 60_000;

/** In one connection. A server could ask for one scope after another. */
const mostStepUps = 3;
