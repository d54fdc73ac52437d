import { expect, test } from "vitest";
import { refusalOf } from "./refusal-of.ts";

const data = { reason: "DESCRIPTION_MUTATION", review: "cs-0123456789ab" };
const message = "MCP error -32602: Countersign withholds this tool: DESCRIPTION_MUTATION; ask the user";
const refusal = { code: "DESCRIPTION_MUTATION", review: "cs-0123456789ab" };

test("refusalOf() reads what the gate said, however deep a framework has wrapped it", () => {
  const error = Object.assign(new Error(message), { data });
  expect(refusalOf(error)).toEqual(refusal);
  expect(refusalOf(new Error("the tool failed", { cause: new Error("it rejected", { cause: error }) }))).toEqual(
    refusal,
  );
  const call = Object.assign(new Error("Countersign refuses this call: ARGUMENTS"), {
    data: { reason: "ARGUMENTS", rules: [] },
  });
  expect(refusalOf(call)).toEqual({ code: "ARGUMENTS" });
});

test("refusalOf() takes nothing else for one, and ends", () => {
  const server = Object.assign(new Error("No such note"), { data });
  const circle: { cause?: unknown } = {};
  circle.cause = circle;
  for (const error of [
    server,
    circle,
    undefined,
    null,
    "Countersign withholds",
    Object.assign(new Error(message), { data: { reason: 3 } }),
  ]) {
    expect(refusalOf(error)).toBeUndefined();
  }
});
