import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A program that cuts its input into lines as some hosts do, and says each in base64 on a line of its own. */
export interface LineReader {
  readonly name: string;
  /** What ends a line to it, beside LF. */
  readonly ends: readonly string[];
  readonly command: readonly string[];
}

/** Those that this machine can run; Node's is always among them. */
export function lineReaders(folder: string): readonly LineReader[] {
  mkdirSync(folder, { recursive: true });
  const file = (name: string, program: string) => {
    writeFileSync(join(folder, name), program);
    return join(folder, name);
  };
  const readers: LineReader[] = [
    {
      name: "Node's readline",
      ends: ["\r"],
      command: [process.execPath, file("readline.mjs", ofNode)],
    },
  ];
  if (runs("python3", "--version")) {
    readers.push({
      name: "Python's text pipe",
      ends: ["\r"],
      command: ["python3", "-X", "utf8", file("text_pipe.py", ofPythonPipe)],
    });
    readers.push({
      name: "Python's splitlines",
      ends: ["\r", "\u0085", "\u2028", "\u2029"],
      command: ["python3", "-X", "utf8", file("splitlines.py", ofPythonSplitlines)],
    });
  }
  if (runs("javac", "-version") && runs("java", "-version")) {
    readers.push({ name: "Java's readLine", ends: ["\r"], command: ["java", file("ReadLine.java", ofJava)] });
    readers.push({
      name: "Java's Scanner",
      ends: ["\r", "\u0085", "\u2028", "\u2029"],
      command: ["java", file("Scanning.java", ofJavaScanner)],
    });
  }
  return readers;
}

/** The lines that a reader makes of these bytes. */
export function linesTo({ command: [command = "", ...args] }: LineReader, input: string): readonly string[] {
  const output = execFileSync(command, args, { input, encoding: "utf8", stdio: ["pipe", "pipe", "inherit"] });
  return output
    .split(/\r?\n/)
    .slice(0, -1)
    .map((line) => Buffer.from(line, "base64").toString("utf8"));
}

function runs(command: string, version: string): boolean {
  try {
    execFileSync(command, [version], { stdio: "ignore" });
    return true;
  } catch (error) {
    if (error instanceof Error && ("status" in error || "code" in error)) return false;
    throw error;
  }
}

const ofNode = `import { createInterface } from "node:readline";
createInterface({ input: process.stdin }).on("line", (line) => console.log(Buffer.from(line).toString("base64")));
`;

/** As a pipe of `subprocess` is read with `text=True`. */
const ofPythonPipe = `import base64, io, sys
for line in io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8"):
    print(base64.b64encode(line.rstrip("\\n").encode()).decode())
`;

const ofPythonSplitlines = `import base64, sys
for line in sys.stdin.buffer.read().decode().splitlines():
    print(base64.b64encode(line.encode()).decode())
`;

function java(name: string, reading: string): string {
  return `import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
public class ${name} {
  static void say(String line) {
    System.out.println(Base64.getEncoder().encodeToString(line.getBytes(StandardCharsets.UTF_8)));
  }
  public static void main(String[] args) throws IOException {
    ${reading}
  }
}
`;
}

const ofJava = java(
  "ReadLine",
  `BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) say(line);`,
);

const ofJavaScanner = java(
  "Scanning",
  `Scanner in = new Scanner(System.in, StandardCharsets.UTF_8);
    while (in.hasNextLine()) say(in.nextLine());`,
);
