import { spawn } from "node:child_process";
import { browserArgument } from "./authorization-url.ts";

/** Whether the system's program for it was started. Without a shell: the URL is one argument, and begins with its scheme. */
export async function openBrowser(url: URL, platform: NodeJS.Platform = process.platform): Promise<boolean> {
  const argument = browserArgument(url);
  const [program, ...before] = programFor(platform);
  const child = spawn(program, [...before, argument], { stdio: "ignore", detached: true, shell: false });
  return new Promise((resolve) => {
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
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
