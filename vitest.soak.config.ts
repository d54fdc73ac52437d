import { defineConfig } from "vitest/config";

/** Not a project of vitest.config.ts: a plain `npx vitest` must not begin an hour's run. */
export default defineConfig({
  test: {
    name: "soak",
    include: ["test/soak/**/*.soak.ts"],
    fileParallelism: false,
    testTimeout: 3_600_000,
  },
});
