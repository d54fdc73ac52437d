import { spawn } from "node:child_process";

/**
 * A command on a real pseudo-terminal (of util-linux's script(1)) of 30 rows and 100 columns, and a person who answers each
 * prompt when it stands there, and hangs up when out of answers. Resolves to all that the screen was sent.
 *
 * @param prompts what ends a prompt
 */
export function atTerminal(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  prompts: readonly string[],
  answers: readonly string[],
): Promise<{ readonly screen: string; readonly code: number | null }> {
  const quoted = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const child = spawn("script", ["-qec", `stty rows 30 cols 100; ${quoted}`, "/dev/null"], { env });
  let screen = "";
  let answered = 0;
  let from = 0;
  // A chunk may end in the middle of a character.
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    screen += chunk;
    const prompt = prompts.find((one) => screen.endsWith(one));
    if (prompt === undefined || screen.length <= from) return;
    from = screen.length;
    const answer = answers[answered++];
    if (answer === undefined) child.stdin.end();
    else child.stdin.write(`${answer}\n`);
  });
  return new Promise((resolve) =>
    child.on("close", (code) => resolve({ screen: screen.replaceAll("\r\n", "\n"), code })),
  );
}
