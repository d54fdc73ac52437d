import { spawn } from "node:child_process";
import { browserArgument } from "./authorization-url.ts";

/**
 * Whether the system's program for it was started, and did not give up at once. Without a shell: the URL is one argument,
 * and begins with its scheme.
 */
export async function openBrowser(url: URL, platform: NodeJS.Platform = process.platform): Promise<boolean> {
  const argument = browserArgument(url);
  const [program, ...before] = programFor(platform);
  const child = spawn(program, [...before, argument], { stdio: "ignore", detached: true, shell: false });
  child.unref();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const running = setTimeout(() => resolve(true), 2_000);
  child.once("error", () => resolve(false));
  child.once("exit", (code) => resolve(code === 0));
  return promise.finally(() => clearTimeout(running));
}

function programFor(platform: NodeJS.Platform): readonly [program: string, ...before: string[]] {
  switch (platform) {
    case "darwin":
      return ["open"];
    case "win32":
      return ["rundll32", "url.dll,FileProtocolHandler"];
    default:
      return ["xdg-open"];
  }
}
