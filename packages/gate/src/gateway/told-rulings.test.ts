import { digestOfCanonical, type Offer, type Ruling } from "@countersign/core";
import { expect, test } from "vitest";
import { noLaunch } from "../launch/launch-offer.ts";
import { type Standings, toldRulings } from "./told-rulings.ts";
import { serverName } from "./under-test/hostile-events.ts";

const server = serverName("files");

test("toldRulings() tells how an offer stands when it was ruled anew, and not at each call [operate.metrics]", async () => {
  const offer: Offer = { ...noLaunch(server), source: "tools/list" };
  const received = digestOfCanonical("tool", "{}");
  const withheld = (verdict: "quarantine" | "refuse", name: string): Ruling => {
    const address = { server, kind: "tool", name } as const;
    return verdict === "refuse"
      ? { address, verdict, received, reasons: [] }
      : { address, verdict, received, reasons: [] };
  };
  let rulings: readonly Ruling[] = [withheld("quarantine", "a"), withheld("refuse", "b"), withheld("refuse", "c")];
  const told: Standings[] = [];
  const rule = toldRulings(
    server,
    async () => rulings,
    (standings) => told.push(standings),
  );
  expect(await rule(offer)).toBe(rulings);
  await rule(offer);
  expect(told).toEqual([{ server, source: "tools/list", verdicts: { bind: 0, quarantine: 1, refuse: 2 } }]);
  rulings = [withheld("quarantine", "a")];
  await rule(offer);
  expect(told.map(({ verdicts }) => verdicts.refuse)).toEqual([2, 0]);
});
