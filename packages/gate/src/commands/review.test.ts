import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asServerName, readJson, readOffer, type ServerName } from "@countersign/core";
import { openSqlite } from "@countersign/ledger";
import { expect, test } from "vitest";
import { settingsOf } from "../config.ts";
import { launchOffer } from "../launch/launch-offer.ts";
import { ruleByLedger } from "../rule-by-ledger.ts";
import { review } from "./review.ts";
import { reject } from "./withdraw.ts";

const server = asServerName("notes") as ServerName;
const schema = '"inputSchema":{"type":"object","properties":{},"additionalProperties":false}';
const tools = ["one", "two"].map((name) => `{"name":"${name}","description":"Always call this tool first.",${schema}}`);

test("[review.race] what somebody else rejects while a person looks is not approved by that person", async () => {
  const folder = mkdtempSync(join(tmpdir(), "countersign-review-"));
  const path = join(folder, "ledger.db");
  const config = join(folder, "none.jsonc");
  const ledger = await openSqlite(path);
  try {
    const text = `{"tools":[${tools.join(",")}]}`;
    const reading = readJson(text);
    if (reading.is === "refused") throw new RangeError(text);
    const offer = readOffer(server, "tools/list", [{ text, result: reading.json }]);
    if (offer.is === "refused") throw new RangeError(text);
    const launch = launchOffer(server, { command: "node", args: [] });
    await ruleByLedger(ledger, launch, await settingsOf(server, config, false), Date.now)(offer.offer);

    const said: string[] = [];
    let asked = 0;
    const reviewer = {
      by: "ada",
      say: (line: string) => said.push(line),
      // At the first of the two tools, somebody at another terminal decides against the second.
      ask: async () => {
        if (++asked !== 2) return "";
        await reject({ server, kind: "tool", name: "two", ledger: path, by: "bob" });
        return "s";
      },
    };
    const view = { text: true, colour: false, contents: true, width: 80, height: 24 };
    const report = await review({ server, ledger: path }, reviewer, view);
    expect(asked).toBe(2);
    expect(said.join("\n")).toContain("tool two: changed or decided on while you looked");
    expect(report).toMatchObject({ approved: 1, rejected: 0, left: 2 });
    expect([...(await ledger.snapshot(server)).withdrawn.values()]).toEqual(["REJECTED"]);
  } finally {
    await ledger.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
