import type { Address, ServerName } from "@countersign/core";
import { type Bound, type CallRefusal, rulesText } from "./call-gate.ts";
import { errorText } from "./error-text.ts";
import type { Asker, GuardOptions } from "./guard-options.ts";
import type { Refusal } from "./server-asks.ts";
import { reviewId } from "./withheld.ts";

type Named = Pick<Address, "kind" | "name">;

export interface RefusalsOptions extends Pick<GuardOptions, "toHost" | "report"> {
  readonly server: ServerName;
}

/** What a host is told instead of what it asked for: reasons by their codes, and nothing that the server wrote. */
export class Refusals {
  readonly #options: RefusalsOptions;

  constructor(options: RefusalsOptions) {
    this.#options = options;
  }

  /** @param data JSON text of our own */
  fail(request: Asker, code: number, message: string, data?: string): void {
    const text = `{"jsonrpc":"2.0","id":${request.id.text},"error":${errorText(code, message, data)}}`;
    this.#options.toHost(text, { request, answers: "error", code });
  }

  use(asker: Asker, use: Named | undefined, code: string): void {
    const { server } = this.#options;
    const kind = use?.kind ?? "tool";
    const name = use?.name ?? "";
    const review = reviewId({ server, kind, name });
    this.#options.report({ is: "use-refused", kind, name, code, review });
    // The host's own words: by them it knows which of its resources there is none of (2026-07-28).
    const uri = use?.kind === "resource" ? `,"uri":${JSON.stringify(use.name)}` : "";
    const data = `{"reason":"${code}","review":"${review}"${uri}}`;
    this.fail(asker, -32602, `withholds this ${kind}: ${code}; ask the user to review ${review}`, data);
  }

  call(asker: Asker, { address }: Bound, refusal: CallRefusal, refuses: string): void {
    const { kind, name } = address;
    const { sentence, data } = rulesText(refusal);
    this.#options.report({ is: "use-refused", kind, name, code: refusal.code, review: reviewId(address) });
    const told = `{"reason":"${refusal.code}","rules":${data}}`;
    this.fail(asker, -32602, `${refuses}: ${refusal.code}, ${sentence}`, told);
  }

  answer(asker: Asker, { code }: Refusal): void {
    const why = code === "NOT_ALLOWED" ? "it asks for what does not pass" : code;
    this.fail(asker, -32603, `refused the server's answer: ${why}`, `{"reason":"${code}"}`);
  }

  /** It is used though nobody approved it. */
  letThrough({ kind, name }: Named, code: string): void {
    const review = reviewId({ server: this.#options.server, kind, name });
    this.#options.report({ is: "use-let-through", kind, name, code, review });
  }
}
