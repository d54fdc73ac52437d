import { resolve } from "node:path";
import type { ServerName, Source } from "@countersign/core";
import type { Checkpoint, Ending } from "@countersign/wire";
import type { Note, Running, Verified } from "./notes.ts";

export interface NotesOptions {
  readonly server: ServerName;
  readonly ledger: string;
  /** The server is not started, because of its launch. */
  readonly held: boolean;
  /** The ledger's sequence number now. */
  readonly seq: () => Promise<number>;
  /** A note that cannot be written changes nothing but what `doctor` can tell. */
  readonly failed: (error: unknown) => void;
}

/** Keeps a note of one run for `doctor` and `status`. Nothing waits for it but the end of the run. */
export class RunNotes {
  readonly #options: NotesOptions;
  readonly #listed = new Map<Source, { readonly seq: number; readonly at: string }>();
  readonly #verified = new Map<Source, Verified>();
  readonly #stderr: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** When the timer will have run down. */
  #due = Number.POSITIVE_INFINITY;
  #ended = false;
  #writing: Promise<void> = Promise.resolve();
  /** The note that stands on the disk. */
  #written: Running | undefined;

  constructor(options: NotesOptions) {
    this.#options = options;
    this.#soon();
  }

  /** The host was given a list or a handshake. Only a ledger that has moved since is news. */
  listed(source: Source): void {
    this.#options
      .seq()
      .then((seq) => {
        if (this.#listed.get(source)?.seq === seq) return;
        this.#listed.set(source, { seq, at: new Date().toISOString() });
        this.#soon();
      })
      .catch(this.#options.failed);
  }

  /** A source was had whole and ruled on. The first time is news; of later ones the note may lag behind. */
  verified(source: Source, by: Checkpoint): void {
    const first = !this.#verified.has(source);
    this.#verified.set(source, { source, at: new Date().toISOString(), by });
    this.#soon(first ? soon : lag);
  }

  /** One line of the server's. */
  stderr(line: string): void {
    this.#stderr.push(line.slice(0, longest));
    if (this.#stderr.length > most) this.#stderr.shift();
  }

  /** @param ending absent where no server was started */
  async end(ending: Ending | undefined, rest: { answered: boolean; hostLeft: boolean }): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#writing;
    await this.#attempt(async ({ removeNote, writeNote }) => {
      if (this.#written !== undefined) await removeNote(this.#written);
      if (ending === undefined) return;
      const at = new Date().toISOString();
      await writeNote({ is: "ended", ...this.#common(), at, ending, ...rest, stderr: this.#stderr });
    });
  }

  /** A server at its start says much at once, and a host may go on for hours. */
  #soon(milliseconds = soon): void {
    if (this.#ended) return;
    const due = performance.now() + milliseconds;
    if (this.#timer !== undefined && this.#due <= due) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#writing = this.#writing.then(() => this.#write());
    }, milliseconds).unref();
  }

  #write(): Promise<void> {
    return this.#attempt(async ({ beganAt, sweepNotes, writeNote }) => {
      if (this.#written === undefined) await sweepNotes();
      const began = beganAt(process.pid);
      const note: Running = {
        is: "running",
        ...this.#common(),
        ...(began === undefined ? {} : { began }),
        held: this.#options.held,
        listed: [...this.#listed].map(([source, { seq, at }]) => ({ source, seq, at })),
      };
      await writeNote(note);
      this.#written = note;
    });
  }

  async #attempt(step: (notes: typeof import("./notes.ts")) => Promise<void>): Promise<void> {
    try {
      await step(await import("./notes.ts"));
    } catch (error) {
      this.#options.failed(error);
    }
  }

  #common(): Pick<Note, "server" | "ledger" | "pid" | "node" | "script" | "verified"> {
    const { server, ledger } = this.#options;
    const script = resolve(process.argv[1] ?? "");
    const verified = [...this.#verified.values()];
    return { server, ledger: resolve(ledger), pid: process.pid, node: process.execPath, script, verified };
  }
}

/** Milliseconds between what happens and its note. */
const soon = 300;
const lag = 5_000;

/** Lines, and code units of each. */
const most = 10;
const longest = 400;
