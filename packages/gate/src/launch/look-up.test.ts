import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lookUp } from "./look-up.ts";

describe("lookUp()", () => {
  let folder: string;
  const mebibyte = 1024 * 1024;

  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "countersign-look-up-")));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test("follows links, hashes what is there, and reads what runs it", () => {
    writeFileSync(join(folder, "serve"), "#!/usr/bin/env node\n", { mode: 0o755 });
    symlinkSync("serve", join(folder, "link"));
    expect(lookUp(join(folder, "link"))).toEqual({
      path: join(folder, "serve"),
      // printf '#!/usr/bin/env node\n' | sha256sum
      content: { digest: "sha256:a59c47872b71f12589942892464e764c0db350c20b72228645615cc36e0a0725" },
      interpreter: "/usr/bin/env node",
      executable: true,
    });
  });

  test("says that a file may not be executed, and that a folder holds nothing", () => {
    writeFileSync(join(folder, "plain"), "", { mode: 0o644 });
    expect(lookUp(join(folder, "plain"))).toEqual({
      path: join(folder, "plain"),
      content: { digest: "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
      executable: false,
    });
    mkdirSync(join(folder, "within"));
    expect(lookUp(join(folder, "within"))?.content).toBeUndefined();
  });

  test("finds nothing where nothing is, or where links go in a circle", () => {
    symlinkSync("circle", join(folder, "circle"));
    expect(lookUp(join(folder, "circle"))).toBeUndefined();
    expect(lookUp(join(folder, "plain", "below"))).toBeUndefined();
    expect(lookUp(join(folder, "nothing"))).toBeUndefined();
  });

  test("tells large files apart by their size and by what is at either end", () => {
    const large = join(folder, "large");
    const contents = new Set<string>();
    const note = () => contents.add(JSON.stringify(lookUp(large)?.content));
    writeFileSync(large, "a");
    truncateSync(large, 3 * mebibyte);
    note();
    writeFileSync(large, "b");
    truncateSync(large, 3 * mebibyte);
    note();
    writeFileSync(large, "a");
    truncateSync(large, 3 * mebibyte - 1);
    writeFileSync(large, "b", { flag: "a" });
    note();
    truncateSync(large, 3 * mebibyte + 1);
    note();
    expect(contents.size).toBe(4);
    expect([...contents].every((content) => content.includes('"ends"'))).toBe(true);
  });

  test("hashes a file of two mebibytes whole", () => {
    const file = join(folder, "two");
    writeFileSync(file, Buffer.alloc(2 * mebibyte));
    expect(lookUp(file)?.content).toEqual({
      digest: "sha256:5647f05ec18958947d32874eeb788fa396a05d0bab7c1b71f112ceb7e9b31eee",
    });
  });
});
