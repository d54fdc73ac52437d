import { visible } from "@countersign/core";
import type { Start } from "../hosts/start-of.ts";
import type { Baseline } from "../wrapping/baseline.ts";
import type { View } from "./view.ts";

/** Why a server could not be looked at before its host starts it. */
export function sayBaseline(server: string, looked: Extract<Baseline, { is: "not-seen" }>, { text }: View): string {
  const { because, lastWords } = looked;
  const last = lastWords === "" || !text ? "" : `; the last that was said: ${lastWords}`;
  switch (because) {
    case "ENDED":
      return `${server}: ended before it had said what it offers${last}; all of it waits until its host starts it`;
    case "NO_ANSWER":
      return `${server}: did not answer in time (--deadline gives it longer)${last}; what it offers waits until its host starts it`;
  }
}

export function sayImpossible(server: string, start: Extract<Start, { is: "impossible" }>): string {
  return `${server}: cannot be started here, ${whyImpossible(start)}; all of it waits until its host starts it`;
}

function whyImpossible({ because, what }: Extract<Start, { is: "impossible" }>): string {
  const shown = visible(what);
  switch (because) {
    case "UNKNOWN_VARIABLE":
      return `only its host knows what ${shown} stands for`;
    case "NO_FOLDER":
      return `its folder "${shown}" is not there`;
    case "NO_ENV_FILE":
      return `its variables in "${shown}" cannot be read`;
    case "NUL":
      return `no system can start "${shown}"`;
    case "BAD_URL":
      return `its URL is one that is not reached (${shown})`;
    case "BAD_HEADER":
      return `its header "${shown}" is none that can be sent`;
  }
}
