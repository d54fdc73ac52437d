import { visible } from "@countersign/core";
import type { Baseline } from "../wrapping/baseline.ts";
import type { Start } from "../wrapping/start-of.ts";
import type { View } from "./view.ts";

/** Why a server could not be looked at before its host starts it. */
export function sayBaseline(server: string, looked: Extract<Baseline, { is: "not-seen" }>, { text }: View): string {
  const { because, lastWords } = looked;
  const last = lastWords === "" || !text ? "" : `; the last that was said: ${lastWords}`;
  switch (because) {
    case "ENDED":
      return `${server}: ended before it had said what it offers${last}; all of it waits until its host starts it`;
    case "NO_ANSWER":
      return `${server}: did not answer in time (--timeout gives it longer)${last}; what it offers waits until its host starts it`;
  }
}

export function sayHostOnly(server: string, { because, what }: Extract<Start, { is: "host-only" }>): string {
  const shown = visible(what);
  switch (because) {
    case "VARIABLE":
      return `${server}: cannot be started here, only its host knows what ${shown} stands for; all of it waits until the host starts it`;
    case "NO_FOLDER":
      return `${server}: cannot be started here, its folder "${shown}" is not there; all of it waits until its host starts it`;
    case "ENV_FILE":
      return `${server}: cannot be started here, its variables in "${shown}" cannot be read; all of it waits until its host starts it`;
  }
}
