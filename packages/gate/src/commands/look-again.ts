import type { Digest } from "@countersign/core";
import type { Ledger } from "@countersign/ledger";
import { displayOf } from "../print/display-of.ts";
import { paint, shownName, type View } from "../print/view.ts";
import { asksAgain, isMaskedNews, isSame, objectionsTo, type Standing, type Stood } from "../standing.ts";
import { recordApproval, seen } from "./approve.ts";
import { type Reviewer, showAndAsk } from "./show-and-ask.ts";

interface LookAgain {
  readonly ledger: Ledger;
  readonly reviewer: Reviewer;
  readonly view: View;
  readonly policy: Digest;
  readonly unseen: boolean;
  readonly reread: () => Promise<Standing | undefined>;
}

/**
 * Goes through what is approved and what a rule speaks against that nobody heard then, and through what has another text now
 * that its plan keeps from the model. Whatever the answer, and without one, it stays as it is unless somebody says `r`.
 */
export async function lookAgain({ ledger, reviewer, view, policy, unseen, reread }: LookAgain) {
  const { by, say } = reviewer;
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
    const isNews = isMaskedNews(stood);
    const answer = await showAndAsk(
      { rows: displayOf(stood, view), asked: "", byEnter: false, unseen, ...wordsFor(stood, rules) },
      reviewer,
      view,
    );
    switch (answer.is) {
      case "approve":
        await recordApproval(ledger, current, [stood], {
          ...{ acknowledged: new Set(rules), by, policy, unseen: answer.unseen },
        });
        say(isNews ? "approved the new text of 1 definition" : "kept 1 definition");
        done.kept++;
        break;
      case "reject":
        // Turned down, the new text is not asked about again; the approved one stays.
        await ledger.record({
          ...{ is: isNews ? "rejected" : "revoked", server: current.server, definitions: [seen(stood)], by },
        });
        say(isNews ? "rejected the new text of 1 definition" : "revoked 1 definition");
        done.revoked++;
        break;
      case "gone":
        return { ...done, unseen: done.unseen + listed.length - index, gone: true };
      case "skip":
        done.unseen++;
    }
    current = await reread();
  }
  return done;
}

function wordsFor(stood: Stood, rules: readonly string[]) {
  const despite = rules.length === 0 ? "" : `all the same (${rules.join(", ")})`;
  return isMaskedNews(stood)
    ? { approving: `the new text ${despite}`.trim(), keys: { key: "t", approve: "take", reject: "reject it" } }
    : { approving: despite, keys: { key: "k", approve: "keep", reject: "revoke" } };
}
