import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openBrowser } from "./open-browser.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "browser-"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

test.each([
  ["xdg-open", "linux", []],
  ["open", "darwin", []],
  ["rundll32", "win32", ["url.dll,FileProtocolHandler"]],
] as const)(
  "%s is given the address as one argument, by no shell [sign-in.browser]",
  async (program, platform, before) => {
    const heard = join(folder, "heard");
    // The name appears once all is written.
    writeFileSync(
      join(folder, program),
      `#!/bin/sh\nprintf '%s\\n' "$#" "$@" > "${heard}.new"; mv "${heard}.new" "${heard}"\n`,
    );
    chmodSync(join(folder, program), 0o755);
    vi.stubEnv("PATH", `${folder}:${process.env["PATH"]}`);
    const url = new URL("https://login.example.com/authorize?scope=a+b&x=%24%28id%29&y=1");
    expect(await openBrowser(url, platform)).toBe(true);
    const words = await vi.waitFor(() => readFileSync(heard, "utf8").trimEnd().split("\n"));
    expect(words).toEqual([String(before.length + 1), ...before, url.href]);
  },
);

test("where there is no such program, it is said", async () => {
  vi.stubEnv("PATH", folder);
  expect(await openBrowser(new URL("https://login.example.com/"), "linux")).toBe(false);
});

test("where it finds no browser, it is said", async () => {
  writeFileSync(join(folder, "xdg-open"), "#!/bin/sh\nexit 3\n");
  chmodSync(join(folder, "xdg-open"), 0o755);
  vi.stubEnv("PATH", `${folder}:${process.env["PATH"]}`);
  expect(await openBrowser(new URL("https://login.example.com/"), "linux")).toBe(false);
});

test("what is no web address is not opened", async () => {
  await expect(openBrowser(new URL("file:///etc/passwd"))).rejects.toMatchObject({
    failure: { is: "BAD_AUTHORIZATION_ENDPOINT" },
  });
});
