import type { GuardOptions } from "./guard-options.ts";

/** For a connection on which nothing is called and nobody is asked for anything: whatever is, is refused. */
export const onlyLists: Pick<GuardOptions, "calls" | "allowed"> = {
  calls: async () => ({ mayCall: () => ({ code: "ONLY_LISTS", rules: [] }) }),
  allowed: {
    methods: new Set(),
    async judge() {
      throw new Error("Cannot judge a sampling request on a connection that is only for lists");
    },
  },
};
