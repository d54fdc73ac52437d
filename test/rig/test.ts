import { test as base } from "vitest";
import { openPlace, type Place } from "./place.ts";

/** A test with a place of its own, which may run beside others. */
export const test = base.extend<{ place: Place }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads which fixtures this one needs from the pattern
  place: async ({}, use) => {
    const place = openPlace();
    await use(place);
    await place.close();
  },
});
