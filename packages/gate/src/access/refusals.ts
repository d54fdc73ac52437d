import type { ServerName } from "@countersign/core";
import type { AccessEvent } from "./access-event.ts";
import type { Refusal } from "./refusal.ts";

type Code = Extract<AccessEvent, { readonly is: "refused" }>["code"];

export interface RefusalsOptions {
  /** How many credentials of one address may fail within a minute. */
  readonly most: number;
  readonly report: (event: AccessEvent) => void;
  /** Milliseconds. */
  readonly now?: () => number;
}

/**
 * Counts what was refused, by address. Who guesses is slowed down, and no log is filled. Nobody who holds a good credential
 * is kept out by what others at the same address do: only what was refused already is refused with another answer.
 */
export class Refusals {
  readonly #options: Required<RefusalsOptions>;
  /** Failures of an address since the beginning of its minute. */
  readonly #failures = new Map<string, { readonly since: number; readonly count: number }>();
  readonly #said = new Map<string, number>();

  constructor({ now = () => performance.now(), ...options }: RefusalsOptions) {
    this.#options = { ...options, now };
  }

  /** What is to be answered, which may be that there were too many. */
  note(refusal: Refusal, address: string, server?: ServerName): Refusal {
    const seconds = failed.has(refusal.code) ? this.#wait(networkOf(address)) : undefined;
    if (seconds === undefined) {
      this.say(refusal.code, address, server);
      return refusal;
    }
    this.say("TOO_MANY_REFUSED", address, server);
    return { code: "TOO_MANY_REFUSED", seconds };
  }

  /** The same thing many times over is said once, and then at the 10th, 100th ... time. */
  say(code: Code, address: string, server?: ServerName): void {
    const key = `${code} ${networkOf(address)} ${server ?? ""}`;
    const count = (this.#said.get(key) ?? 0) + 1;
    this.#said.delete(key);
    keep(this.#said, key, count);
    if (!/^10*$/.test(String(count))) return;
    this.#options.report({ is: "refused", code, address, count, ...(server === undefined ? {} : { server }) });
  }

  #wait(address: string): number | undefined {
    const { most, now } = this.#options;
    const time = now();
    const before = this.#failures.get(address);
    const goesOn = before !== undefined && time - before.since < minute;
    const since = goesOn ? before.since : time;
    const count = goesOn ? before.count + 1 : 1;
    this.#failures.delete(address);
    keep(this.#failures, address, { since, count });
    return count > most ? Math.ceil((since + minute - time) / 1_000) : undefined;
  }
}

const minute = 60_000;

/** Addresses cost a caller little, so the oldest are forgotten. */
const mostKept = 4_096;

function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.set(key, value);
  if (map.size <= mostKept) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}

/** One who has a v6 address has 2^64 of them. */
function networkOf(address: string): string {
  if (!address.includes(":") || address.includes(".")) return address;
  const [head = ""] = address.split("::");
  return head.split(":").slice(0, 4).join(":");
}

/** What a guess comes to. A client without a credential is how every sign-in begins, and a trouble of ours is no fault of its. */
const failed: ReadonlySet<Refusal["code"]> = new Set([
  ...["MALFORMED_HEADER", "KEY_MISTYPED", "KEY_UNKNOWN", "KEY_REVOKED", "KEY_EXPIRED", "TOKENS_NOT_TAKEN"],
  ...["TOKEN_MALFORMED", "TOKEN_ALGORITHM", "TOKEN_KEY_UNKNOWN", "TOKEN_SIGNATURE", "TOKEN_ISSUER", "TOKEN_AUDIENCE"],
  ...["TOKEN_EXPIRED", "TOKEN_NOT_YET", "TOKEN_CLAIMS", "SCOPE_MISSING", "SERVER_NOT_ALLOWED", "NO_SUCH_SERVER"],
] as const satisfies readonly Refusal["code"][]);
