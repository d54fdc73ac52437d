import { visible } from "@countersign/core";
import type { WireEvent } from "@countersign/wire";
import { sayObjections } from "./say-objections.ts";

/** The sentence for what happened on a connection, if there is something to say. */
export function sayEvent(event: WireEvent): string | undefined {
  switch (event.is) {
    case "answered":
    case "listed":
    case "verified":
      return undefined;
    case "frame-refused":
      return `refused one message from the ${event.from}: ${event.code} at offset ${event.at}; nothing of it was passed on`;
    case "unasked-answer":
      return `dropped an answer from the ${event.from} that nobody had asked for`;
    case "cut-off":
      return `cut a long answer of the server off: ${event.code}; whoever asked for it can see that it is not whole`;
    case "method-refused":
      return `refused the method "${visible(event.method.slice(0, 100))}" from the ${event.from}`;
    case "ask-refused":
      return `refused "${visible(event.method.slice(0, 100))}" from the server: ${event.code}${sayObjections(event.because)}`;
    case "not-approved-yet":
      return `held back "${visible(event.method)}": nothing of this server is approved yet`;
    case "not-ready-yet":
      return "dropped what the server said: the host has not said that it is ready, and too much waits for it already";
    case "no-answer-yet":
      return `the server has not answered ${event.method} for ${event.seconds} s; still waiting, nothing is allowed meanwhile`;
    case "lists-late":
      return `the server has not answered ${event.sources.join(", ")} for ${event.seconds} s; the handshake is answered without, and what they hold is withheld until they come`;
    case "list-failed":
      return `withholds the whole list of ${event.source}: ${event.code}`;
    case "use-refused":
      return `refused the use of ${event.kind} "${visible(event.name.slice(0, 200))}": ${event.code} (review ${event.review})`;
    case "withheld":
      return `withholds ${event.count} ${event.count === 1 ? "definition" : "definitions"}; run "countersign review" to see them`;
    case "let-through":
      return `lets ${event.count} ${event.count === 1 ? "definition" : "definitions"} pass that nobody approved; run "countersign status" to see them`;
    case "use-let-through":
      return `let the use of ${event.kind} "${visible(event.name.slice(0, 200))}" pass in spite of ${event.code} (review ${event.review})`;
    case "broken":
      return `could not judge (${event.what}), so nothing of it was passed on: ${visible(event.error)}`;
  }
}
