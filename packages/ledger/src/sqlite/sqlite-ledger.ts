import { type BigIntStats, statSync } from "node:fs";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Digest, ServerName, Snapshot } from "@countersign/core";
import { LedgerError } from "../errors.ts";
import { type Event, hasOwnOffer, textsNeededBy } from "../event.ts";
import { type Expectation, movements, repeats } from "../expectation.ts";
import { emptyState, fold, follows, type State, unknownServer } from "../fold.ts";
import type { Ledger, RecordOptions, RecordResult } from "../ledger.ts";
import type { PrincipalId } from "../principal.ts";
import { type Recorded, readStored, type StoredEvent, type StoredFault, storedEvent } from "../recorded.ts";
import {
  boundDigests,
  keeping,
  type LedgerSnapshot,
  mayIdentify,
  neighbourDigests,
  snapshotOf,
  type Timeless,
  timelyOf,
} from "../snapshot.ts";
import { isSound, type StoredText, type Text } from "../text.ts";
import { type VerifyReport, verify } from "../verify.ts";
import { migrations, newer } from "./migrations.ts";
import { ledgerErrorOf } from "./sqlite-error.ts";
import { transaction } from "./transaction.ts";

interface Means {
  readonly file: string;
  /** There is no file: `file` only says so in messages. */
  readonly inMemory?: true;
  /** Milliseconds within which one look answers everybody who asks. */
  readonly moment: number;
  readonly now: () => number;
  readonly newId: () => string;
}

/** The columns that the statements below name. What is in them is not known before it was read. */
type EventRow = Readonly<Record<keyof StoredEvent, unknown>>;
type TextRow = Readonly<Record<keyof StoredText, unknown>>;

const eventColumns = "CAST(events.seq AS TEXT) AS seq, CAST(at AS TEXT) AS at, id, previous, event, signatures, hash";

/** How many events are read at once where the reader may stop in between. */
const page = 256;

/**
 * Works synchronously from the first statement of a call to the last, so that no call of this process comes between.
 * What it remembers is the fold of the events it has read, and texts that it has found to be sound.
 */
export class SqliteLedger implements Ledger {
  readonly #database: DatabaseSync;
  readonly #means: Means;
  /** The file that is open. One that took its place would not be read. */
  readonly #opened: BigIntStats | undefined;

  readonly #maximum: StatementSync;
  readonly #after: StatementSync;
  readonly #readText: StatementSync;
  readonly #hasText: StatementSync;
  readonly #addText: StatementSync;
  readonly #addEvent: StatementSync;

  #state: State = emptyState;
  /** When it was last looked whether there is more, by `performance.now()`. */
  #looked = Number.NEGATIVE_INFINITY;
  readonly #snapshots = new Map<ServerName, Timeless>();
  /** Digests of texts in which nothing is a schema's identifier. */
  readonly #plain = new Set<Digest>();

  constructor(database: DatabaseSync, means: Means) {
    this.#database = database;
    this.#means = means;
    this.#opened = means.inMemory ? undefined : identityOf(means.file);
    this.#maximum = database.prepare("SELECT max(seq) AS seq FROM events");
    this.#after = database.prepare(
      `SELECT ${eventColumns} FROM events WHERE events.seq > ? ORDER BY events.seq LIMIT ?`,
    );
    this.#readText = database.prepare("SELECT digest, kind, text FROM texts WHERE digest = ?");
    this.#hasText = database.prepare("SELECT 1 FROM texts WHERE digest = ?");
    this.#addText = database.prepare("INSERT INTO texts (digest, kind, text) VALUES (?, ?, ?) ON CONFLICT DO NOTHING");
    this.#addEvent = database.prepare(
      "INSERT INTO events (seq, at, id, previous, event, signatures, hash) VALUES (?, ?, ?, ?, ?, ?, ?)",
    );
  }

  async seq(): Promise<number> {
    return this.#attempt("read", () => this.#seq());
  }

  async state(): Promise<State> {
    return this.#attempt("read", () => this.#latest());
  }

  async snapshot(server: ServerName, principal?: PrincipalId): Promise<LedgerSnapshot> {
    return this.#attempt("read", () => {
      const state = this.#latest();
      const known = this.#snapshots.get(server);
      let snapshot = known;
      if (snapshot?.seq !== state.seq) {
        const texts = this.#texts(boundDigests(state, server), known?.texts);
        const identified = this.#identified(neighbourDigests(state, server));
        snapshot = keeping(known, snapshotOf(state, server, texts, identified));
        this.#snapshots.set(server, snapshot);
      }
      return { ...snapshot, ...timelyOf(state.servers.get(server) ?? unknownServer, this.#means.now(), principal) };
    });
  }

  async text(digest: Digest): Promise<string | undefined> {
    return this.#attempt("read", () => {
      this.#refuseReplaced();
      return this.#text(digest);
    });
  }

  async record(event: Event, { texts = [], expecting = [] }: RecordOptions = {}): Promise<RecordResult> {
    return this.#attempt("write to", () => {
      // Most sightings repeat the last one, and then nobody has to wait for a lock; nor has a server that floods.
      if (onlyStable(expecting)) {
        const state = this.#refresh();
        if (repeats(state, event)) return { is: "unchanged" };
        const because = movements(state, event, expecting, this.#means.now);
        if (because.length > 0) return { is: "moved", because };
      }
      if (!hasOwnOffer(event)) throw this.#invalid("the digest of the offer is not that of its definitions");
      const added = this.#soundTexts(event, texts);
      return transaction(this.#database, "IMMEDIATE", (): RecordResult => {
        const state = this.#refresh();
        if (onlyStable(expecting) && repeats(state, event)) return { is: "unchanged" };
        const because = movements(state, event, expecting, this.#means.now);
        if (because.length > 0) return { is: "moved", because };
        if (repeats(state, event)) return { is: "unchanged" };
        this.#looked = Number.NEGATIVE_INFINITY;
        for (const { digest, kind, text } of added) this.#addText.run(digest, kind, text);
        return { is: "recorded", seq: this.#append(event, state) };
      });
    });
  }

  async *entries(from = 1): AsyncIterable<Recorded> {
    let next = from;
    for (;;) {
      const recorded = this.#attempt("read", () => {
        this.#refuseReplaced();
        return this.#read(next - 1, page);
      });
      yield* recorded;
      const last = recorded.at(-1);
      if (last === undefined) return;
      next = last.seq + 1;
    }
  }

  async verify(): Promise<VerifyReport> {
    return this.#attempt("read", () => {
      this.#refuseReplaced();
      const checks = this.#database.prepare("PRAGMA integrity_check").all() as { integrity_check: unknown }[];
      const details = checks.map((row) => String(row.integrity_check)).filter((detail) => detail !== "ok");
      const report = verify(this.#everyEvent(), this.#everyText());
      const damage = details.map((detail) => ({ code: "DAMAGED_STORE", detail }) as const);
      return { ...report, problems: [...damage, ...report.problems] };
    });
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  /** What any process has recorded by now. Calls that came in together, within `moment`, are answered by one look. */
  #latest(): State {
    const { moment } = this.#means;
    if (moment === 0) return this.#refresh();
    const now = performance.now();
    if (now - this.#looked >= moment) {
      this.#refresh();
      this.#looked = now;
    }
    return this.#state;
  }

  #seq(): number {
    this.#refuseReplaced();
    const { seq } = this.#maximum.get() as { seq: number | null };
    return seq ?? 0;
  }

  /** Folds what any process has recorded since the last time. */
  #refresh(): State {
    const seq = this.#seq();
    if (seq === this.#state.seq) return this.#state;
    if (seq < this.#state.seq) throw this.#corrupt(`event ${this.#state.seq} was there before and is gone`);
    for (;;) {
      const recorded = this.#read(this.#state.seq, page);
      for (const one of recorded) {
        if (!follows(this.#state, one))
          throw this.#corrupt(`event ${one.seq} does not follow event ${this.#state.seq}`);
        this.#state = fold(this.#state, one);
      }
      if (recorded.length < page) return this.#state;
    }
  }

  #read(after: number, limit: number): readonly Recorded[] {
    return this.#after.all(after, limit).map((row) => {
      const stored = eventOf(row as EventRow);
      const reading = readStored(stored);
      if (reading.is === "refused") throw this.#unreadable(`event ${stored.seq}: ${causeOf(reading.because)}`);
      return reading.recorded;
    });
  }

  *#everyEvent(): Iterable<StoredEvent> {
    const statement = this.#database.prepare(`SELECT ${eventColumns} FROM events ORDER BY events.seq`);
    for (const row of statement.iterate()) yield eventOf(row as EventRow);
  }

  *#everyText(): Iterable<StoredText> {
    const statement = this.#database.prepare("SELECT digest, kind, text FROM texts ORDER BY digest");
    for (const row of statement.iterate()) yield textOf(row as TextRow);
  }

  #append(event: Event, state: State): number {
    const row = storedEvent(event, {
      seq: state.seq + 1,
      at: this.#means.now(),
      id: this.#means.newId(),
      previous: state.head,
    });
    // What could not be read back would make the whole ledger unreadable.
    const reading = readStored(row);
    if (reading.is === "refused") throw this.#invalid(`the event cannot be recorded: ${causeOf(reading.because)}`);
    const { seq, at, id, previous, hash } = reading.recorded;
    this.#addEvent.run(seq, at, id, previous ?? null, row.event, row.signatures, hash);
    return seq;
  }

  #texts(digests: ReadonlySet<Digest>, known: Snapshot["texts"] = new Map()): Snapshot["texts"] {
    const texts = new Map<Digest, string>();
    for (const digest of digests) {
      const text = known.get(digest) ?? this.#text(digest);
      if (text === undefined) throw this.#corrupt(`the approved text of ${digest} is gone`);
      texts.set(digest, text);
    }
    return texts;
  }

  /** Most texts identify nothing, and need not be hashed to know that; one that was tampered with is found where it counts. */
  #identified(digests: ReadonlySet<Digest>): readonly string[] {
    const texts: string[] = [];
    for (const digest of digests) {
      if (this.#plain.has(digest)) continue;
      const row = this.#readText.get(digest);
      if (row === undefined || !mayIdentify(textOf(row as TextRow).text)) this.#plain.add(digest);
      else texts.push(this.#text(digest) ?? "");
    }
    return texts;
  }

  #text(digest: Digest): string | undefined {
    const row = this.#readText.get(digest);
    if (row === undefined) return undefined;
    const stored = textOf(row as TextRow);
    if (!isSound(stored)) throw this.#corrupt(`the text stored as ${digest} is another one`);
    return stored.text;
  }

  /** Those of `texts` that are not stored yet. */
  #soundTexts(event: Event, texts: readonly Text[]): readonly Text[] {
    const added = texts.filter(({ digest }) => this.#hasText.get(digest) === undefined);
    for (const text of added) {
      if (!isSound(text)) throw this.#invalid(`a text is not the one that ${text.digest} names`);
    }
    const given = new Set(added.map(({ digest }) => digest));
    for (const digest of textsNeededBy(event)) {
      if (!given.has(digest) && this.#hasText.get(digest) === undefined) throw this.#invalid(`${digest} has no text`);
    }
    return added;
  }

  #refuseReplaced(): void {
    if (this.#means.inMemory) return;
    const now = identityOf(this.#means.file);
    if (now !== undefined && now.ino === this.#opened?.ino && now.dev === this.#opened.dev) return;
    throw new LedgerError("UNREACHABLE", {
      action: "read",
      ledger: this.#means.file,
      cause: "the file that was opened is not there any more",
      next: "start again to use the one that is there now",
    });
  }

  /** A later Countersign may have migrated the ledger since it was opened here. */
  #unreadable(cause: string): LedgerError {
    const version = Number(this.#database.prepare("PRAGMA user_version").get()?.["user_version"]);
    if (version <= migrations.length) return this.#corrupt(cause);
    return new LedgerError("NEWER", { action: "read", ledger: this.#means.file, cause: newer(version) });
  }

  #corrupt(cause: string): LedgerError {
    return new LedgerError("CORRUPT", { action: "read", ledger: this.#means.file, cause });
  }

  #invalid(cause: string): LedgerError {
    return new LedgerError("INVALID", { action: "write to", ledger: this.#means.file, cause });
  }

  #attempt<T>(action: "read" | "write to", step: () => T): T {
    try {
      return step();
    } catch (error) {
      throw ledgerErrorOf(error, action, this.#means.file);
    }
  }
}

/** An expectation that a repeated sighting need not meet: it takes nothing of the quota. */
function onlyStable(expecting: readonly Expectation[]): boolean {
  return expecting.every(({ is }) => is === "stable");
}

function identityOf(file: string): BigIntStats | undefined {
  try {
    return statSync(file, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EACCES") return undefined; // its folder was closed
    throw error;
  }
}

function causeOf(fault: StoredFault): string {
  switch (fault.code) {
    case "UNREADABLE_EVENT":
      return fault.problems.join(", ");
    case "WRONG_HASH":
      return "it does not have the hash that was recorded";
  }
}

function eventOf(row: EventRow): StoredEvent {
  return {
    seq: String(row.seq),
    at: String(row.at),
    id: String(row.id),
    previous: row.previous === null ? undefined : String(row.previous),
    event: String(row.event),
    signatures: String(row.signatures),
    hash: String(row.hash),
  };
}

function textOf(row: TextRow): StoredText {
  return { digest: String(row.digest), kind: String(row.kind), text: String(row.text) };
}
