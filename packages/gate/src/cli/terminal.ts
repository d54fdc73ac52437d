import { userInfo } from "node:os";
import { createInterface } from "node:readline/promises";
import type { Reviewer } from "../commands/show-and-ask.ts";
import { GateError } from "../gate-error.ts";

/** Who decides, for the ledger. */
export function who(): string {
  return userInfo().username;
}

export async function atTerminal(use: (reviewer: Reviewer) => Promise<void>): Promise<void> {
  // The terminal edits the line itself; a line editor of ours would add escape codes to what a person has to trust.
  const terminal = createInterface({ input: process.stdin, output: process.stdout, terminal: false });
  const closed = new Promise<undefined>((resolve) => terminal.once("close", () => resolve(undefined)));
  try {
    await use({
      by: who(),
      say: (text) => process.stdout.write(`${text}\n`),
      ask: (question) => Promise.race([terminal.question(question), closed]),
    });
  } finally {
    terminal.close();
  }
}

/**
 * Shows something and asks one question about it; only `y` is yes.
 *
 * @param cannot what to say where there is nobody to ask
 */
export async function confirmAtTerminal(cannot: string, question: string, shown?: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) throw new GateError("USAGE", cannot);
  let answer: string | undefined;
  await atTerminal(async ({ say, ask }) => {
    if (shown !== undefined) say(shown);
    answer = await ask(question);
  });
  return answer?.trim().toLowerCase() === "y";
}
