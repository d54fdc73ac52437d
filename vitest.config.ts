import { defineConfig } from "vitest/config";

/** They hold time or memory against a bound, so a core is theirs alone. */
const timed = [
  "packages/judge/src/rules/linear.test.ts",
  ...["bodies", "checkpoints", "ease", "endurance", "floods", "frames", "guard", "misbehaving"].map(
    (name) => `test/${name}.test.ts`,
  ),
];
const system = { testTimeout: 60_000, hookTimeout: 60_000 };

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
          exclude: timed,
          // Two cores suffice; left to itself the runner keeps one of two for itself.
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // Real servers and child processes: after the rest.
        test: {
          ...system,
          name: "system",
          include: ["test/**/*.test.ts"],
          exclude: timed,
          sequence: { groupOrder: 1 },
          // Much of it is waiting: for processes to start, and for what must not come.
          maxWorkers: 3,
        },
      },
      {
        // Last, and one file at a time.
        test: { ...system, name: "timed", include: timed, sequence: { groupOrder: 2 }, maxWorkers: 1 },
      },
    ],
  },
});
