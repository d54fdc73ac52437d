import { describe, expect, test } from "vitest";
import { readZip } from "./read-zip.ts";
import { type Packed, zipOf } from "./under-test/zip.ts";

async function codeOf(...files: readonly Packed[]): Promise<string> {
  const reading = await readZip(zipOf(files));
  return reading.is === "read"
    ? reading.value.files.map(({ path, bytes }) => `${path}=${bytes}`).join(" ")
    : reading.problem.code;
}

const file = (name: string, more: Partial<Packed> = {}): Packed => ({ name, content: "text", ...more });

describe("readZip()", () => {
  test("reads files, stored and deflated, and leaves folders out", async () => {
    expect(
      await codeOf(file("b/c.txt", { deflate: true }), file("b/", { content: "", mode: 0o040755 }), file("a")),
    ).toBe("a=text b/c.txt=text");
  });

  test.each([
    ["../a"],
    ["a/../../b"],
    ["/etc/passwd"],
    ["a\\b"],
    ["..\\a"],
    ["C:/a"],
    ["a\0b"],
    ["a\nb"],
    [""],
    ["./a"],
    ["a//b"],
  ])("takes no file by the name %j [manifest.zip]", async (name) => {
    expect(await codeOf(file("ok"), file(name))).toMatch(/^(?:ZIP_NAME|NO_ZIP)$/);
  });

  test("takes no name that is no UTF-8", async () => {
    expect(await codeOf(file("ok"), { name: Buffer.from([0x61, 0xff]), content: "" })).toBe("ZIP_NAME");
  });

  test.each([
    ["a link", "ZIP_LINK", [file("a", { mode: 0o120777, content: "/etc/passwd" })]],
    ["a device", "ZIP_LINK", [file("a", { mode: 0o020666 })]],
    ["a file twice", "ZIP_TWICE", [file("a"), file("a", { content: "other" })]],
    ["a file twice, where case does not count", "ZIP_TWICE", [file("manifest.json"), file("Manifest.JSON")]],
    ["an encrypted file", "ZIP_ENCRYPTED", [file("a", { flags: 1, deflate: true })]],
    ["another method", "ZIP_METHOD", [file("a", { method: 12 })]],
    ["another name in its header", "ZIP_DISAGREES", [file("a", { local: { name: "b" } })]],
    ["another size in its header", "ZIP_DISAGREES", [file("a", { local: { size: 3 } })]],
    ["another sum in its header", "ZIP_DISAGREES", [file("a", { local: { crc: 1 } })]],
    ["another method in its header", "ZIP_DISAGREES", [file("a", { deflate: true, local: { method: 0 } })]],
    [
      "a sum that is not that of its content",
      "ZIP_DISAGREES",
      [file("a", { directory: { crc: 1 }, local: { crc: 1 } })],
    ],
    [
      "a size that is not that of its content",
      "ZIP_DISAGREES",
      [file("a", { content: "x".repeat(100), deflate: true, directory: { size: 50 }, local: { size: 50 } })],
    ],
    ["no header where the directory points", "ZIP_DISAGREES", [file("a", { directory: { offset: 3 } })]],
    [
      "another name beside its name",
      "ZIP_DISAGREES",
      [file("a", { directory: { extra: Buffer.from([0x75, 0x70, 1, 0, 1]) } })],
    ],
  ] as const)("refuses %s [manifest.zip]", async (_, code, files) => {
    expect(await codeOf(...files)).toBe(code);
  });

  test("refuses a file that lies within another [manifest.zip]", async () => {
    const inner = zipOf([file("b")]).subarray(0, 30 + "b".length + "text".length);
    const outer = file("a", { content: inner });
    expect(await codeOf(outer, file("b", { directory: { offset: 30 + "a".length } }))).toBe("ZIP_OVERLAPS");
  });

  test("refuses what grows out of all proportion, before it grows [manifest.zip]", async () => {
    const bomb = file("a", { content: Buffer.alloc(40 * 1024 * 1024), deflate: true });
    const zip = zipOf([bomb]);
    const before = process.memoryUsage().rss;
    const reading = await readZip(zip);
    expect(reading).toMatchObject({ is: "refused", problem: { code: "ZIP_BOMB" } });
    expect(process.memoryUsage().rss - before).toBeLessThan(20 * 1024 * 1024);
  });

  test("refuses a size that is a lie, before it has grown beyond it [manifest.zip]", async () => {
    const lie = file("a", {
      content: Buffer.alloc(8 * 1024 * 1024),
      deflate: true,
      directory: { size: 1_000 },
      local: { size: 1_000 },
    });
    expect(await codeOf(lie)).toBe("ZIP_DISAGREES");
  });

  test("refuses too many files, and more than fit together [manifest.zip]", async () => {
    expect(await codeOf(...Array.from({ length: 2_001 }, (_, index) => file(`f${index}`, { content: "" })))).toBe(
      "TOO_MANY_FILES",
    );
    expect(await codeOf(file("a", { directory: { size: 65 * 1024 * 1024 }, deflate: true }))).toMatch(
      /^(?:TOO_LARGE|ZIP_DISAGREES)$/,
    );
  });

  test("refuses what is no archive", async () => {
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from("PK"),
      zipOf([file("a")]).subarray(0, -1),
      Buffer.concat([zipOf([file("a")]), Buffer.from("x")]),
    ]) {
      expect(await readZip(bytes)).toMatchObject({ is: "refused", problem: { code: "NO_ZIP" } });
    }
  });
});
