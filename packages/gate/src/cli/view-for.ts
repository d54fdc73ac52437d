import type { View } from "../print/view.ts";
import type { Output } from "./options.ts";

/** How to show a report here: what servers wrote only at a terminal, or where somebody asked for it. */
export function viewFor({ text }: Pick<Output, "text">): View {
  const terminal = process.stdout.isTTY === true;
  const { NO_COLOR, FORCE_COLOR } = process.env;
  const colour = NO_COLOR ? false : FORCE_COLOR ? FORCE_COLOR !== "0" : terminal;
  const { columns, rows } = process.stdout;
  return {
    ...{ text: text === true || terminal, colour, contents: text === true },
    ...{ width: columns || 100, height: rows || 40 },
  };
}
