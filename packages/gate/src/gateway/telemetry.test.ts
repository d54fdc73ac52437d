import { expect, test } from "vitest";
import { telemetry } from "./telemetry.ts";

test("telemetry() listens to nothing where no SDK was registered [operate.traces-cost]", () => {
  expect(telemetry()).toBeUndefined();
});
