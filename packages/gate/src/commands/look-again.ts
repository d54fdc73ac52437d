import type { Digest } from "@countersign/core";
import type { Ledger } from "@countersign/ledger";
import { definitionRow } from "../print/definition-row.ts";
import { sayContent } from "../print/say-content.ts";
import { sayDefinition } from "../print/say-definition.ts";
import { paint, shownName, type View } from "../print/view.ts";
import { asksAgain, isMaskedNews, isSame, objectionsTo, type Standing } from "../standing.ts";
import { recordApproval, seen } from "./approve.ts";

interface LookAgain {
  readonly ledger: Ledger;
  readonly by: string;
  readonly say: (text: string) => void;
  readonly ask: (question: string) => Promise<string | undefined>;
  readonly view: View;
  readonly policy: Digest;
  readonly reread: () => Promise<Standing | undefined>;
}

/**
 * Goes through what is approved and what a rule speaks against that nobody heard then. Whatever the answer, and without
 * one, it stays as it is unless somebody says `r`.
 */
export async function lookAgain({ ledger, by, say, ask, view, policy, reread }: LookAgain) {
  const done = { kept: 0, revoked: 0, unseen: 0, gone: false };
  let current = await reread();
  const listed = current?.definitions.filter(asksAgain) ?? [];
  if (current === undefined || listed.length === 0) return done;
  const what = listed.length === 1 ? "1 approved definition waits" : `${listed.length} approved definitions wait`;
  say(paint(view, "bold", `\n${current.server}: ${what} for another look`));
  for (const [index, one] of listed.entries()) {
    const stood = current?.definitions.filter(asksAgain).find((other) => isSame(one, other));
    if (current === undefined || stood === undefined) {
      const { kind, name } = one.definition.address;
      say(`${kind} ${shownName(name, view)}: changed or decided on while you looked; review again to see it`);
      done.unseen++;
      continue;
    }
    const rules = objectionsTo(stood.ruling);
    say(sayDefinition(definitionRow(stood, view), view));
    say(sayContent(stood.definition, view));
    const isNews = isMaskedNews(stood);
    const keys = isNews
      ? `[t] take the new text${rules.length === 0 ? "" : ` all the same (${rules.join(", ")})`}  [r] reject it`
      : `[k] keep all the same (${rules.join(", ")})  [r] revoke`;
    const answer = await ask(`${keys}  [Enter] skip  [q] quit `);
    switch (answer?.trim().toLowerCase()) {
      case isNews ? "t" : "k":
        await recordApproval(ledger, current, [stood], { acknowledged: new Set(rules), by, policy });
        say(isNews ? "approved the new text of 1 definition" : "kept 1 definition");
        done.kept++;
        break;
      case "r":
        // Turned down, the new text is not asked about again; the approved one stays.
        await ledger.record({
          ...{ is: isNews ? "rejected" : "revoked", server: current.server, definitions: [seen(stood)], by },
        });
        say(isNews ? "rejected the new text of 1 definition" : "revoked 1 definition");
        done.revoked++;
        break;
      case undefined:
      case "q":
        return { ...done, unseen: done.unseen + listed.length - index, gone: true };
      default:
        done.unseen++;
    }
    current = await reread();
  }
  return done;
}
