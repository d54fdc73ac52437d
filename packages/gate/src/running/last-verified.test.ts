import { expect, test } from "vitest";
import { lastVerified } from "./last-verified.ts";
import type { Ended, Running, Verified } from "./notes.ts";

const common = { server: "files", ledger: "/nowhere/ledger.db", pid: 1, node: "/node", script: "/bin.js" };

function running(verified: readonly Verified[], of: Partial<Running> = {}): Running {
  return { ...common, is: "running", held: false, listed: [], verified, ...of };
}

function ended(verified: readonly Verified[]): Ended {
  const ending = { is: "exited", code: 0 } as const;
  return {
    ...common,
    is: "ended",
    at: "2026-11-30T12:00:00.000Z",
    ending,
    answered: true,
    hostLeft: true,
    stderr: [],
    verified,
  };
}

const source = "tools/list";

const files = {
  server: "files",
  ledger: "/nowhere/ledger.db",
  sources: ["tools/list", "launch", "prompts/list"],
} as const;

test("lastVerified() takes the latest of all guards of the server, source by source [checkpoint.status]", () => {
  const notes = [
    running([{ source, at: "2026-11-30T10:00:00.000Z", by: "list" }], { pid: 2 }),
    running([{ source, at: "2026-11-30T11:00:00.000Z", by: "call" }], { pid: 3 }),
    ended([
      { source, at: "2026-11-30T09:00:00.000Z", by: "load" },
      { source: "launch", at: "2026-11-30T09:00:00.000Z", by: "session" },
    ]),
  ];
  expect(lastVerified(notes, files)).toEqual([
    { source: "launch", at: "2026-11-30T09:00:00.000Z", by: "session" },
    { source: "tools/list", at: "2026-11-30T11:00:00.000Z", by: "call" },
    { source: "prompts/list" },
  ]);
});

test("lastVerified() leaves out other servers, other ledgers, and what was never sighted", () => {
  const verified = [{ source, at: "2026-11-30T10:00:00.000Z", by: "list" }] as const;
  const notes = [
    running(verified, { server: "mail" }),
    running(verified, { ledger: "/elsewhere/ledger.db" }),
    running([{ source: "made up", at: "2026-11-30T10:00:00.000Z", by: "list" }]),
  ];
  expect(lastVerified(notes, { ...files, sources: ["tools/list"] })).toEqual([{ source: "tools/list" }]);
});
