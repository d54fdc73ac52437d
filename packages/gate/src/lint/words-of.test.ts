import { describe, expect, test } from "vitest";
import { commandOf } from "./words-of.ts";

const table: readonly (readonly [line: string, words: readonly string[] | undefined])[] = [
  ["my-server", ["npx", "-y", "my-server"]],
  ["@scope/my-server@1.2.3", ["npx", "-y", "@scope/my-server@1.2.3"]],
  ["./server", ["./server"]],
  ["/opt/server", ["/opt/server"]],
  ["npx -y my-server@latest", ["npx", "-y", "my-server@latest"]],
  ["  node   a.js ", ["node", "a.js"]],
  ["node 'my server.js' \"a 'b'\" c'd e'f", ["node", "my server.js", "a 'b'", "cd ef"]],
  ["node '' a", ["node", "", "a"]],
  ["C:\\Tools\\server.exe --root C:\\a", ["C:\\Tools\\server.exe", "--root", "C:\\a"]],
  // No shell reads it.
  ["node $HOME;ls `a` *", ["node", "$HOME;ls", "`a`", "*"]],
  ["node 'a", undefined],
  ["", undefined],
  ["   ", undefined],
];

describe("commandOf()", () => {
  for (const [line, words] of table) {
    test(JSON.stringify(line), () => {
      const command = commandOf(line);
      expect(command === undefined ? undefined : [command.command, ...command.args]).toEqual(words);
    });
  }
});
