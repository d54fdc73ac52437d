import type { Ledger } from "@countersign/ledger";

export interface LedgerLook {
  /** Whether the ledger could be read within the last seconds, or can be now. */
  readonly isReadable: () => Promise<boolean>;
  /** Seconds since it was read last. */
  readonly age: () => number;
  readonly stop: () => void;
}

export interface LedgerLookOptions {
  readonly ledger: Pick<Ledger, "seq">;
  /** It could not be read. Said once for each error in a row. */
  readonly trouble: (error: string) => void;
  readonly now?: () => number;
  /** Milliseconds that somebody who asks waits for it. */
  readonly patience?: number;
}

/** Reads the ledger from time to time, and when somebody asks whether it can be read: at most once a second for all who ask. */
export function lookAtLedger({
  ledger,
  trouble,
  now = () => performance.now(),
  patience = 2_000,
}: LedgerLookOptions): LedgerLook {
  const began = now();
  let read: number | undefined;
  let looking: Promise<void> | undefined;
  let said: string | undefined;
  const look = (): Promise<void> => {
    looking ??= ledger
      .seq()
      .then(
        () => {
          read = now();
          said = undefined;
        },
        (error: unknown) => {
          const text = error instanceof Error ? error.message : String(error);
          if (text !== said) trouble(text);
          said = text;
        },
      )
      .finally(() => {
        looking = undefined;
      });
    return looking;
  };
  const wasReadWithin = (milliseconds: number) => read !== undefined && now() - read < milliseconds;
  void look();
  const timer = setInterval(() => void look(), every).unref();
  return {
    async isReadable() {
      if (wasReadWithin(recent)) return true;
      let late: NodeJS.Timeout | undefined;
      const over = new Promise<void>((done) => {
        late = setTimeout(done, patience);
      });
      await Promise.race([look(), over]);
      clearTimeout(late);
      return wasReadWithin(recent + patience);
    },
    age: () => (now() - (read ?? began)) / 1_000,
    stop: () => clearInterval(timer),
  };
}

/** Milliseconds. */
const every = 5_000;
const recent = 1_000;
