import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { replaceFile } from "./replace-file.ts";

const folder = mkdtempSync(join(tmpdir(), "countersign-replace-"));
const usual = process.env["XDG_STATE_HOME"];
process.env["XDG_STATE_HOME"] = join(folder, "state");

afterAll(() => {
  if (usual === undefined) delete process.env["XDG_STATE_HOME"];
  else process.env["XDG_STATE_HOME"] = usual;
  rmSync(folder, { recursive: true, force: true });
});

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe("replaceFile()", () => {
  test("does not overrule who wrote in between, and leaves nothing behind", async () => {
    const path = file("moved.json", "theirs");
    const replaced = await replaceFile(path, Buffer.from("what was read"), Buffer.from("ours"));
    expect(replaced).toEqual({ is: "refused", because: "CHANGED" });
    expect(readFileSync(path, "utf8")).toBe("theirs");
    expect(readdirSync(folder).filter((name) => name.includes("moved.json"))).toEqual(["moved.json"]);
  });

  test("says of a file that is gone that it changed", async () => {
    const replaced = await replaceFile(join(folder, "gone.json"), Buffer.from("a"), Buffer.from("b"));
    expect(replaced).toEqual({ is: "refused", because: "CHANGED" });
  });

  test("keeps what was there, the last ten times", async () => {
    const path = file("kept.json", "0");
    let backup = "";
    for (let count = 0; count < 12; count++) {
      const replaced = await replaceFile(path, Buffer.from(String(count)), Buffer.from(String(count + 1)));
      if (replaced.is === "written") ({ backup } = replaced);
      // Two in one millisecond would have one name.
      await new Promise((later) => setTimeout(later, 2));
    }
    expect(readFileSync(path, "utf8")).toBe("12");
    expect(readFileSync(backup, "utf8")).toBe("11");
    expect(readdirSync(join(backup, ".."))).toHaveLength(10);
  });
});
