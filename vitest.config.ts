import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: [
            "packages/*/src/**/*.test.ts",
            "tools/**/*.test.ts",
            "vectors/**/*.test.ts",
            "detection/**/*.test.ts",
          ],
          // Two cores suffice; left to itself the runner keeps one of two for itself.
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // Real servers and child processes: after the rest, and one file at a time, so that two cores suffice.
        test: {
          name: "system",
          include: ["test/**/*.test.ts"],
          sequence: { groupOrder: 1 },
          maxWorkers: 1,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
