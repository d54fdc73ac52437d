import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { eventually } from "./eventually.ts";
import type { Place } from "./place.ts";

/** Debian's chromium, which `tools/install-programs.ts` installs. */
const program = "chromium";

export const isBrowserHere = spawnSync(program, ["--version"]).error === undefined;

export async function startBrowser(): Promise<Browser> {
  const { stdout } = spawnSync("sh", ["-c", `command -v ${program}`], { encoding: "utf8" });
  // Whoever is root in a container has no other sandbox.
  return chromium.launch({ executablePath: stdout.trim(), args: ["--no-sandbox"] });
}

/** What is started instead of the system's `xdg-open`: it writes down what it was given. */
export interface OpenedPages {
  /** With it in the environment, Countersign finds it. */
  readonly env: Readonly<Record<string, string>>;
  /** What was opened so far, in order. */
  all(): readonly string[];
  /** Waits for the page with this number, from 1. */
  page(number: number): Promise<string>;
}

export function openedPages(place: Place): OpenedPages {
  const opened = join(place.folder, "opened");
  // One line for each: how many arguments, and the last. The folder's names are in the order of the starts.
  const script = place.write(
    "bin/xdg-open",
    `#!/bin/sh\nmkdir -p '${opened}'; t=$(mktemp '${opened}/.XXXXXX'); printf '%s %s' "$#" "$1" > "$t"; mv "$t" "${opened}/$(date +%s%N)"\n`,
  );
  chmodSync(script, 0o755);
  const all = () => {
    if (!existsSync(opened)) return [];
    const names = readdirSync(opened).filter((name) => !name.startsWith("."));
    return names.sort().map((name) => readFileSync(join(opened, name), "utf8").replace(/^1 /, ""));
  };
  return {
    env: { PATH: `${join(place.folder, "bin")}:${place.env["PATH"]}` },
    all,
    async page(number) {
      await eventually(20_000, () => all().length >= number);
      return all()[number - 1] ?? "";
    },
  };
}

/** Signs in at the pages of oidc-provider, and consents or does not. Resolves to what the last page says. */
export async function signInAt(browser: Browser, url: string, consents: boolean): Promise<string> {
  const context = await browser.newContext();
  try {
    // The pages want a font from elsewhere.
    await context.route(/^https:/, (route) => route.abort());
    const page = await context.newPage();
    await page.goto(url);
    await page.fill("input[name=login]", "ada");
    await page.fill("input[name=password]", "any");
    await page.click("button[type=submit]");
    await page.waitForLoadState();
    if (consents) await page.click("button[type=submit]");
    else await page.click("text=Cancel");
    return await textOf(page);
  } finally {
    await context.close();
  }
}

async function textOf(page: Page): Promise<string> {
  await page.waitForURL(/^http:\/\/127\.0\.0\.1:[0-9]+\/callback\?/);
  await page.waitForLoadState();
  return (await page.textContent("body")) ?? "";
}
