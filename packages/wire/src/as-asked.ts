import type { Id } from "./frame.ts";
import type { ResultFrame } from "./serve.ts";

/** An answer as a host knows it: by the id that the host has given. What it was read from stays. */
export function asAsked(frame: ResultFrame, id: Id): ResultFrame {
  const { start, text } = frame.id;
  const whole = frame.text.slice(0, start) + id.text + frame.text.slice(start + text.length);
  return { is: "result", text: whole, id: { key: id.key, text: id.text, start }, page: frame.page };
}
