import { expect, test } from "vitest";
import { visible, visibleLines, visibleStart } from "./visible.ts";

test("visible() names controls, so that no text moves a cursor or starts an escape sequence", () => {
  expect(visible("a\u001b[31mb\u001b]8;;x\u0007")).toBe("a⟦U+001B⟧[31mb⟦U+001B⟧]8;;x⟦U+0007⟧");
  expect(visible("a\nb\r\tc\u0000\u0008\u007f")).toBe("a⟦U+000A⟧b⟦U+000D⟧⟦U+0009⟧c⟦U+0000⟧⟦U+0008⟧⟦U+007F⟧");
  expect(visible("\u0085\u009b31m\u009d")).toBe("⟦U+0085⟧⟦U+009B⟧31m⟦U+009D⟧");
  expect(visible("\u2028\u2029")).toBe("⟦U+2028⟧⟦U+2029⟧");
});

test("visible() names what changes the direction of reading", () => {
  expect(visible("\u202a\u202b\u202c\u202d\u202e")).toBe("⟦U+202A⟧⟦U+202B⟧⟦U+202C⟧⟦U+202D⟧⟦U+202E⟧");
  expect(visible("\u2066\u2067\u2068\u2069")).toBe("⟦U+2066⟧⟦U+2067⟧⟦U+2068⟧⟦U+2069⟧");
  expect(visible("\u200e\u200f\u061c")).toBe("⟦U+200E⟧⟦U+200F⟧⟦U+061C⟧");
});

test("visible() names what shows nothing", () => {
  expect(visible("a\u200bb\u200cc\u200dd\u2060e\ufefff\u00adg")).toBe(
    "a⟦U+200B⟧b⟦U+200C⟧c⟦U+200D⟧d⟦U+2060⟧e⟦U+FEFF⟧f⟦U+00AD⟧g",
  );
  expect(visible("\u{e0001}\u{e0041}\u{e007f}\u{e0100}\ufe0f\u034f\u180b")).toBe(
    "⟦U+E0001⟧⟦U+E0041⟧⟦U+E007F⟧⟦U+E0100⟧⟦U+FE0F⟧⟦U+034F⟧⟦U+180B⟧",
  );
  expect(visible("\u2061\u2062\u2063\u2064\ufff9\ufffa\ufffb")).toBe(
    "⟦U+2061⟧⟦U+2062⟧⟦U+2063⟧⟦U+2064⟧⟦U+FFF9⟧⟦U+FFFA⟧⟦U+FFFB⟧",
  );
  expect(visible("\u180e\u{1d173}\u{1d17a}\u{e01ef}\ufe00")).toBe("⟦U+180E⟧⟦U+1D173⟧⟦U+1D17A⟧⟦U+E01EF⟧⟦U+FE00⟧");
});

test("visible() names every space but the ordinary one", () => {
  expect(visible("a b")).toBe("a b");
  expect(visible("\u00a0\u1680\u2000\u2003\u200a\u202f\u205f\u3000")).toBe(
    "⟦U+00A0⟧⟦U+1680⟧⟦U+2000⟧⟦U+2003⟧⟦U+200A⟧⟦U+202F⟧⟦U+205F⟧⟦U+3000⟧",
  );
});

test("visible() names the letters and symbols that are drawn as blanks", () => {
  expect(visible("\u3164\u2800\uffa0\u115f\u1160\u17b4\u17b5")).toBe(
    "⟦U+3164⟧⟦U+2800⟧⟦U+FFA0⟧⟦U+115F⟧⟦U+1160⟧⟦U+17B4⟧⟦U+17B5⟧",
  );
  expect(visible("\u{1d159}\u{16fe4}\u{13441}\u{13442}")).toBe("⟦U+1D159⟧⟦U+16FE4⟧⟦U+13441⟧⟦U+13442⟧");
});

test("visible() names its own brackets, so that no text can pretend to be a name", () => {
  expect(visible("⟦U+202E⟧")).toBe("⟦U+27E6⟧U+202E⟦U+27E7⟧");
});

test("visible() names what is no character yet, private or half a character", () => {
  expect(visible("\u0378\u{50000}\uffff\ufdd0")).toBe("⟦U+0378⟧⟦U+50000⟧⟦U+FFFF⟧⟦U+FDD0⟧");
  expect(visible("\ue000\u{f0000}\u{10fffd}")).toBe("⟦U+E000⟧⟦U+F0000⟧⟦U+10FFFD⟧");
  expect(visible("a\ud800b\udc00")).toBe("a⟦U+D800⟧b⟦U+DC00⟧");
});

test("visible() leaves the writing of the world readable", () => {
  for (const text of [
    "Deletes one file: /tmp/a_b-c.txt (100 %)!",
    "Désactive l'élément",
    "De\u0301sactive",
    "این پرونده را پاک کن",
    "मछली पकड़ने की जगह",
    "このファイルを削除します。",
    "파일을 삭제합니다",
    "删除文件",
    "ลบไฟล์",
    "הקובץ נמחק",
    "😀🎉",
    "Ω ≤ ∞ → €",
  ]) {
    expect(visible(text)).toBe(text);
  }
});

test("visible() names joiners and variation selectors even where a script or an emoji needs them", () => {
  expect(visible("می\u200cخواهم")).toBe("می⟦U+200C⟧خواهم");
  expect(visible("क्\u200dष")).toBe("क्⟦U+200D⟧ष");
  expect(visible("👩\u200d💻")).toBe("👩⟦U+200D⟧💻");
  expect(visible("❤\ufe0f")).toBe("❤⟦U+FE0F⟧");
});

test("visibleLines() keeps line feeds and tabs, and nothing else that lays a text out", () => {
  expect(visibleLines("a\n\tb\r\n\u2028c\u000b")).toBe("a\n\tb⟦U+000D⟧\n⟦U+2028⟧c⟦U+000B⟧");
});

test("visibleStart() cuts a long text, and never within a character", () => {
  expect(visibleStart("a\u202e")).toBe("a⟦U+202E⟧");
  expect(visibleStart("a".repeat(120))).toBe("a".repeat(120));
  expect(visibleStart("a".repeat(121))).toBe(`${"a".repeat(120)}…`);
  expect(visibleStart(`${"a".repeat(119)}😀`)).toBe(`${"a".repeat(119)}…`);
  expect(visibleStart("\u0000".repeat(200))).toBe(`${"⟦U+0000⟧".repeat(120)}…`);
});
