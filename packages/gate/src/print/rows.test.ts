import { expect, test } from "vitest";
import { labelledRows } from "./rows.ts";
import { leftOf, rowsAtOnce, within } from "./within.ts";

const view = { text: true, colour: false, contents: false, width: 40, height: 24 };

function laidOut(text: string, lines = true, label = "/title") {
  return labelledRows(text, { label, indent: 2, at: "/title of tool x", lines }, view);
}

function texts(text: string, lines?: boolean): readonly string[] {
  return laidOut(text, lines).map((row) => row.text);
}

test("labelledRows() puts a bar before every row, and says which rows begin a line", () => {
  expect(texts("Reads.\nThen it reads the other files as well.")).toEqual([
    "  /title │ Reads.",
    "  │ Then it reads the other files as ",
    "  ┊ well.",
  ]);
  expect(texts("a\nb", false)).toEqual(["  /title │ a⟦U+000A⟧b"]);
  expect(texts("")).toEqual(["  /title │ "]);
});

test("labelledRows() never cuts a name in two, and cuts a word only where no row would hold it", () => {
  expect(texts(`${"\u200b".repeat(3)}${"a".repeat(60)}\u202e`)).toEqual([
    "  /title │ ⟦U+200B⟧⟦U+200B⟧⟦U+200B⟧",
    `  ┊ ${"a".repeat(36)}`,
    `  ┊ ${"a".repeat(24)}⟦U+202E⟧`,
  ]);
});

test.each([
  ["wide letters", "文".repeat(5_000)],
  ["emoji", "😀".repeat(5_000)],
  ["marks", "a\u0301\u0302".repeat(5_000)],
  ["hidden characters", "\u200b\u200c".repeat(5_000)],
  ["look-alikes", "аb".repeat(5_000)],
])("labelledRows() makes no row wider than the screen, and counts all: %s", (_, text) => {
  const rows = laidOut(text);
  for (const row of rows) {
    const wide = [...row.text].reduce(
      (sum, one) => sum + (/[\u{4e00}-\u{9fff}\u{1f300}-\u{1faff}]/u.test(one) ? 2 : 1),
      0,
    );
    expect(wide).toBeLessThanOrEqual(40);
  }
  expect(rows.reduce((sum, { characters }) => sum + characters, 0)).toBe([...text].length);
});

test("labelledRows() gives a long label rows of its own", () => {
  const rows = laidOut("Reads.", true, `/inputSchema/properties/${"p".repeat(40)}`);
  expect(rows.map(({ text }) => text)).toEqual([
    "  /inputSchema/properties/pppppppppppppp",
    "  pppppppppppppppppppppppppp",
    "  │ Reads.",
  ]);
});

test("within() shows as much as is shown at once, and says exactly what it does not", () => {
  const rows = laidOut(`${"x".repeat(36)}\n`.repeat(1_300));
  expect(rowsAtOnce(view)).toBe(240);
  expect(rowsAtOnce({ height: 60 })).toBe(360);
  const lines = within(rows, view, "press v");
  expect(lines.length).toBe(241);
  const left = rows.slice(240).reduce((sum, { characters }) => sum + characters, 0);
  expect(left).toBeGreaterThan(38_000);
  expect(lines[240]).toBe(
    `… ${left.toLocaleString("en-US")} more characters in 1,062 more rows of /title of tool x; press v`,
  );
  expect(within(rows.slice(0, 240), view, "press v")).toEqual(rows.slice(0, 240).map(({ text }) => text));
});

test("leftOf() counts the places", () => {
  const row = (at: string) => ({ text: "", at, characters: 1 });
  expect(leftOf([row("a")])).toBe("… 1 more character in 1 more row of a");
  expect(leftOf([row("a"), row("b"), row("c"), row("a")])).toBe(
    "… 4 more characters in 4 more rows of a and 2 more places",
  );
});
