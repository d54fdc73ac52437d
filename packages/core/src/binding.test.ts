import { expect, test } from "vitest";
import { render, withdrawnKey } from "./binding.ts";
import { digestOfCanonical } from "./digest.ts";

test("render() under as-sent gives the host the text itself, and masks nothing", () => {
  const text = '{ "name":"a" }';
  const received = digestOfCanonical("tool", '{"name":"a"}');
  expect(render(text, received, { prose: "as-sent" })).toEqual({
    contract: received,
    rendering: { text, digest: received },
  });
});

test("withdrawnKey() tells apart what was withdrawn under one name and another", () => {
  const digest = digestOfCanonical("tool", "{}");
  expect(withdrawnKey(digest, "tool a")).toBe(`${digest} tool a`);
  expect(withdrawnKey(digest, "tool a")).not.toBe(withdrawnKey(digest, "tool b"));
});
