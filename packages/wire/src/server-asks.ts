import type { Objection, Page, Reason, Sampling } from "@countersign/core";
import { errorText } from "./error-text.ts";
import type { Frame, Id } from "./frame.ts";
import type { Via } from "./guard-options.ts";
import { serverMethods } from "./methods.ts";
import { type AskOptions, type Reading, readAsk, readAsks, readAsksInError } from "./read-ask.ts";
import { type Splice, spliced } from "./splice.ts";
import { codeOf, type WireEvent } from "./wire-event.ts";

type Request = Extract<Frame, { is: "request" }>;

export interface ServerAsksOptions extends AskOptions {
  /** What speaks against a sampling request now. */
  readonly judge: (sampling: Sampling) => Promise<readonly Objection[]>;
  /** Whether anything of the server may pass now. */
  readonly known: () => boolean;
  /** @param key of the id of the request */
  readonly toHost: (text: string, key: string, via: Via | undefined) => void;
  /** @param key of the id of the request that this answers */
  readonly toServer: (text: string, key: string) => void;
  readonly report: (event: WireEvent) => void;
  readonly broken: (what: string, error: unknown) => void;
}

/** What becomes of what a server asks of a host. */
export type Passage = { readonly is: "passes"; readonly splices: readonly Splice[] } | Refusal;

export interface Refusal {
  readonly is: "refused";
  readonly code: Extract<Reading, { is: "refused" }>["code"] | Reason["code"];
  readonly method: string;
  readonly because: readonly Objection[];
}

/** What the server of one connection asks of its host, and what the host has still to answer. */
export class ServerAsks {
  readonly #options: ServerAsksOptions;
  /** By the id's key: the request while it is judged, and the host has not heard of it; then the id that it was asked under. */
  readonly #open = new Map<string, Request | Asked>();
  #judging = 0;

  constructor(options: ServerAsksOptions) {
    this.#options = options;
  }

  /** @param via where it came in */
  request(frame: Request, via?: Via): void {
    const { known, report } = this.#options;
    const bare = serverMethods.get(frame.method) === "bare";
    const reading = readAsk(frame.method, frame.params, frame.text, this.#options);
    if (reading.is === "refused" && reading.code === "NOT_ALLOWED") {
      this.#refuse(frame.id, { ...reading, because: [] });
    } else if (!known() && !bare) {
      report({ is: "not-approved-yet", method: frame.method });
      this.#fail(frame.id, -32601, "passes nothing of a server that is not approved");
    } else if (this.#open.has(frame.id.key)) {
      this.#fail(frame.id, -32601, "is still waiting for the answer to a request with this id");
    } else if (reading.is === "sampling") {
      this.#judgeThenPass(frame, reading, via);
    } else if (reading.is === "refused") {
      this.#refuse(frame.id, { ...reading, because: [] });
    } else {
      // A bare request is made anew: an unapproved server's `params` may hold anything.
      const anew = `{"jsonrpc":"2.0","id":${frame.id.text},"method":"${frame.method}"}`;
      this.#pass(frame, known() ? spliced(frame.text, reading.splices) : anew, via);
    }
  }

  /** Whether the host was asked this and had not answered yet. */
  answered(key: string): boolean {
    return isAsked(this.#open.get(key)) && this.#open.delete(key);
  }

  /** Nobody is asked this: no host has done anything that would need it. */
  uncaused({ id }: Request): void {
    this.#fail(id, -32601, "cannot ask any host");
  }

  /** No host can be asked this. */
  cannotAsk(key: string): void {
    const open = this.#open.get(key);
    if (!isAsked(open)) return;
    this.#open.delete(key);
    this.#fail(open.asked, -32601, "cannot ask any host");
  }

  /** Whether the server takes back what the host has not heard of. */
  takenBack(key: string): boolean {
    const open = this.#open.get(key);
    return open !== undefined && !isAsked(open) && this.#open.delete(key);
  }

  /** What a result asks for, or what tells of one: all of it passes, or none. */
  async inResult(page: Page): Promise<Passage> {
    const splices: Splice[] = [];
    for (const reading of readAsks(page, this.#options)) {
      const passage = await this.#judged(reading);
      if (passage.is === "refused") return this.#reported(passage);
      splices.push(...passage.splices);
    }
    return { is: "passes", splices };
  }

  inError(frame: Extract<Frame, { is: "error" }>): Passage {
    const reading = readAsksInError(frame, this.#options);
    return reading.is === "passes" ? reading : this.#reported({ ...reading, because: [] });
  }

  close(): void {
    this.#open.clear();
  }

  #judgeThenPass(frame: Request, reading: Reading, via: Via | undefined): void {
    if (this.#judging >= mostJudging) {
      this.#fail(frame.id, -32603, "is still judging other requests");
      return;
    }
    this.#judging++;
    const { key } = frame.id;
    this.#open.set(key, frame);
    const waits = () => this.#open.get(key) === frame;
    this.#judged(reading)
      .then((passage) => {
        if (!waits()) return;
        this.#open.delete(key);
        if (passage.is === "passes") this.#pass(frame, frame.text, via);
        else this.#refuse(frame.id, passage);
      })
      .catch((error) => {
        if (!waits()) return;
        this.#open.delete(key);
        this.#options.broken(frame.method, error);
        this.#fail(frame.id, -32603, "could not judge this, so it is withheld");
      })
      .finally(() => {
        this.#judging--;
      });
  }

  async #judged(reading: Reading): Promise<Passage> {
    switch (reading.is) {
      case "passes":
        return reading;
      case "refused":
        return { ...reading, because: [] };
      case "sampling": {
        const because = await this.#options.judge(reading.sampling);
        const { method } = reading;
        // Everything may have been revoked meanwhile.
        if (!this.#options.known()) return { is: "refused", code: "NO_BASELINE", method, because };
        if (because.length === 0) return { is: "passes", splices: [] };
        return { is: "refused", code: codeOf(because.flatMap(({ reasons }) => reasons)), method, because };
      }
    }
  }

  #pass({ id }: Request, text: string, via: Via | undefined): void {
    this.#open.set(id.key, { asked: id });
    this.#options.toHost(text, id.key, via);
  }

  #refuse(id: Id, refusal: Refusal): void {
    const { code } = this.#reported(refusal);
    if (code === "NOT_ALLOWED") this.#fail(id, -32601, "does not pass this method to the host");
    else this.#fail(id, -32602, `refused this request: ${code}`, `{"reason":"${code}"}`);
  }

  #reported(refusal: Refusal): Refusal {
    const { code, method, because } = refusal;
    if (code === "NOT_ALLOWED") this.#options.report({ is: "method-refused", from: "server", method });
    else this.#options.report({ is: "ask-refused", method, code, because });
    return refusal;
  }

  #fail(id: Id, code: number, message: string, data?: string): void {
    this.#options.toServer(`{"jsonrpc":"2.0","id":${id.text},"error":${errorText(code, message, data)}}`, id.key);
  }
}

interface Asked {
  readonly asked: Id;
}

function isAsked(open: Request | Asked | undefined): open is Asked {
  return open !== undefined && "asked" in open;
}

/** A server need not wait for one answer before it asks the next. */
const mostJudging = 100;
