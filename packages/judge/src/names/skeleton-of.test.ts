import { describe, expect, test } from "vitest";
import { skeletonOf } from "./skeleton-of.ts";

describe("skeletonOf()", () => {
  test.each([
    ["Send_Mail", "sendmall"],
    ["send-mail", "sendmall"],
    ["ｓｅｎｄ．ｍａｉｌ", "sendmall"],
    ["s\u0435nd_m\u0430il", "sendmall"],
    ["sen\u200bd_mail", "sendmall"],
    ["s\u00e9nd_mai\u0301l", "sendmall"],
    ["\u{1D42C}end mail", "sendmall"],
    ["read_forrnat", "readformat"],
    ["rOO1_vvide_list", "roolwldellst"],
  ])("of %s is %s", (name, skeleton) => {
    expect(skeletonOf(name)).toBe(skeleton);
  });

  test.each([
    ["v1", "v1"],
    ["V_i", "vi"],
    ["barn", "barn"],
    ["___", ""],
  ])("of the short %s is %s", (name, skeleton) => {
    expect(skeletonOf(name)).toBe(skeleton);
  });

  test("leaves words of other scripts apart", () => {
    const words = [
      "\u0915\u093f\u0924\u093e\u092c",
      "\u0915\u0924\u092c",
      "\u304b\u304d",
      "\u304c\u304d",
      "\ud55c\uae00",
    ];
    expect(new Set(words.map(skeletonOf)).size).toBe(5);
  });

  test("is the same for a letter composed and decomposed", () => {
    expect(skeletonOf("\u304b\u3099")).toBe(skeletonOf("\u304c"));
  });
});
