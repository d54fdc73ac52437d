import { expect, test } from "vitest";
import { piecesOf } from "./pieces-of.ts";

/** All that is shown of a text, on one line. */
function shown(text: string): string {
  return [...piecesOf(text)].map((piece) => piece.shown).join("");
}

test("piecesOf() leaves nothing of a text out, and says nothing of it twice", () => {
  const text = `a\t\tb\n\n\n\nс${"\u0301".repeat(9)}😀⟦x⟧${" ".repeat(20)}аb${"\u200b".repeat(30)}ｆ`;
  let at = 0;
  let characters = 0;
  for (const piece of piecesOf(text)) {
    expect(piece.start).toBe(at);
    at = piece.end;
    characters += piece.characters;
  }
  expect(at).toBe(text.length);
  expect(characters).toBe([...text].length);
});

test.each([
  ["a b  c", "a b  c"],
  ["a       b", "a       b"],
  ["a        b", "a⟦8 spaces⟧b"],
  ["a\n\nb", "a⟦U+000A⟧⟦U+000A⟧b"],
  ["a\n\n\nb", "a⟦3 line feeds⟧b"],
  ["a\n            b", "a⟦U+000A⟧⟦12 spaces⟧b"],
  ["a\tb", "a⟦U+0009⟧b"],
  [`a${"\t".repeat(8)}b`, "a⟦8 tabs⟧b"],
  [`a${" \n".repeat(5_000)}b`, "a⟦5000 spaces, 5000 line feeds⟧b"],
  [`a${"\r\n".repeat(3)}b`, "a⟦3 carriage returns, 3 line feeds⟧b"],
  [`a${"\u00a0".repeat(500)}b`, "a⟦500 × U+00A0⟧b"],
  [`a${"\u2028 \u3000".repeat(3)}b`, "a⟦3 × U+2028, 3 spaces, 3 × U+3000⟧b"],
  [`a${"\u0085".repeat(8)}b`, "a⟦8 × U+0085⟧b"],
  [`a${"\u200b".repeat(7)}b`, `a${"⟦U+200B⟧".repeat(7)}b`],
  [`a${"\u200b".repeat(9_000)}b`, "a⟦9000 × U+200B⟧b"],
  [`a${"\u3164".repeat(8)}b`, "a⟦8 × U+3164⟧b"],
  [`a${"\u0301".repeat(4)}b`, `a${"\u0301".repeat(4)}b`],
  [`a${"\u0301\u0302".repeat(200)}b`, "a⟦400 combining marks⟧b"],
])("piecesOf() names what pushes a text out of sight, case %#", (text, expected) => {
  expect(shown(text)).toBe(expected);
});

test("piecesOf() cannot be made to say a name by a text that spells one", () => {
  expect(shown("⟦5000 line feeds⟧")).toBe("⟦U+27E6⟧5000 line feeds⟦U+27E7⟧");
});

test.each([
  ["pаypal", "pа⟦mixed scripts: Cyrillic U+0430⟧ypal"],
  ["Αpple", "Α⟦mixed scripts: Greek U+0391⟧pple"],
  ["Рaзмер", "Рa⟦mixed scripts: Latin U+0061⟧змер"],
  ["оеасрxyzuvw", "оеаср⟦mixed scripts: Cyrillic U+043E U+0435 U+0430 U+0441 and 1 more⟧xyzuvw"],
  ["read_ѕсоре of it", "read_ѕсоре⟦looks Latin: Cyrillic U+0455 U+0441 U+043E U+0440 and 1 more⟧ of it"],
  ["сору", "сору⟦looks Latin: Cyrillic U+0441 U+043E U+0440 U+0443⟧"],
  ["a\u200bс\u200bd", "a⟦U+200B⟧с⟦looks Latin: Cyrillic U+0441⟧⟦U+200B⟧d"],
  ["ｒｅａｄ", "ｒｅａｄ⟦fullwidth U+FF52 U+FF45 U+FF41 U+FF44⟧"],
  ["𝐫ead", "𝐫⟦mathematical U+1D42B⟧ead"],
])("piecesOf() names letters that pass for others where they stand: %s", (text, expected) => {
  expect(shown(text)).toBe(expected);
});

test("piecesOf() leaves the writing of the world as it is", () => {
  for (const text of [
    "Désactive l'élément 2 fois",
    "Удаляет файл, а затем с диска; хор",
    "Διαγράφει το αρχείο",
    "Ջնջում է ֆայլը",
    "این پرونده را پاک کن",
    "このAPIはファイルを削除します。",
    "ลบไฟล์ JSON",
    "删除文件",
    "हटाएँ",
    "😀🎉 → ok",
  ]) {
    expect(shown(text)).toBe(text);
  }
});
