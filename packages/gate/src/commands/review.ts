import { driftClasses } from "@countersign/core";
import { policyDigest } from "@countersign/judge";
import type { Ledger } from "@countersign/ledger";
import { approvalScope } from "../approval-scope.ts";
import { type ExitCode, exitCodes, GateError } from "../gate-error.ts";
import { malformedRow } from "../print/definition-row.ts";
import { displayOf } from "../print/display-of.ts";
import { rulingRows } from "../print/ruling-rows.ts";
import { sayIgnored } from "../print/say-ignored.ts";
import { sayPrincipals } from "../print/say-principals.ts";
import { paint, shownName, type View } from "../print/view.ts";
import { within } from "../print/within.ts";
import { asksAgain, isClean, isSame, objectionsTo, type Standing, type Stood, standingOf, waits } from "../standing.ts";
import { recordApproval, releases, seen } from "./approve.ts";
import { lookAgain } from "./look-again.ts";
import { type Places, settingsFor, withLedger } from "./open.ts";
import { serverNamed } from "./scan.ts";
import { type Answer, type Reviewer, showAndAsk } from "./show-and-ask.ts";
import { recordWithdrawal } from "./withdraw.ts";

export interface ReviewOptions extends Places {
  readonly server?: string;
  /** Approve what was not displayed, too. */
  readonly unseen?: boolean;
}

export interface ReviewReport {
  readonly approved: number;
  readonly rejected: number;
  readonly left: number;
  /** Of what was approved before, and a rule speaks against that nobody heard then. What is left of it stays bound. */
  readonly kept: number;
  readonly revoked: number;
  readonly unseen: number;
  readonly exitCode: ExitCode;
}

/** Goes through all that waits, one server at a time. Nothing is approved that was not displayed before. */
export async function review(options: ReviewOptions, reviewer: Reviewer, view: View): Promise<ReviewReport> {
  return withLedger(options, async (ledger) => {
    const servers =
      options.server === undefined ? [...(await ledger.state()).servers.keys()] : [serverNamed(options.server)];
    const total = { approved: 0, rejected: 0, left: 0, kept: 0, revoked: 0, unseen: 0 };
    let waited = 0;
    for (const server of servers) {
      const { settings, ignored } = await settingsFor(server, options);
      const { policy } = settings;
      for (const one of ignored) reviewer.say(`${server}: ${sayIgnored(one)}`);
      const standing = await standingOf(ledger, server, policy);
      if (standing === undefined)
        throw new GateError(
          "NO_SERVER",
          `Cannot review "${server}": the ledger has never seen it; run it once with countersign run ${server} -- <command...>`,
        );
      const waiting = standing.definitions.filter(waits).length;
      const again = standing.definitions.filter(asksAgain).length;
      if (waiting + again === 0) {
        if (options.server !== undefined) reviewer.say(`${server}: nothing waits for a decision`);
        continue;
      }
      waited += waiting + again;
      const sitting = {
        ledger,
        reviewer,
        view,
        policy: policyDigest(policy),
        unseen: options.unseen === true,
        reread: () => standingOf(ledger, server, policy),
      };
      if (waiting > 0) {
        const done = await reviewServer(standing, sitting);
        total.approved += done.approved;
        total.rejected += done.rejected;
        total.left += done.left;
        if (done.gone) break;
      }
      const looked = await lookAgain(sitting);
      total.kept += looked.kept;
      total.revoked += looked.revoked;
      total.unseen += looked.unseen;
      if (looked.gone) break;
    }
    if (waited === 0 && options.server === undefined) reviewer.say("nothing waits for a decision");
    return { ...total, exitCode: total.left === 0 ? exitCodes.clean : exitCodes.unapproved };
  });
}

interface Sitting {
  readonly ledger: Ledger;
  readonly reviewer: Reviewer;
  readonly view: View;
  readonly policy: ReturnType<typeof policyDigest>;
  readonly unseen: boolean;
  readonly reread: () => Promise<Standing | undefined>;
}

async function reviewServer(standing: Standing, sitting: Sitting) {
  const { reviewer, view } = sitting;
  const waiting = standing.definitions.filter(waits);
  const firstSight = standing.snapshot.bindings.size === 0;
  const done = { approved: 0, rejected: 0, left: 0, gone: false };
  const plain = waiting.filter(({ ruling }) => isClean(ruling));
  const rest = waiting.filter(({ ruling }) => !isClean(ruling)).sort((a, b) => urgencyOf(a) - urgencyOf(b));

  reviewer.say(
    paint(
      view,
      "bold",
      `\n${standing.server}: ${count(waiting.length)} ${firstSight ? "at first sight" : "new or changed"}`,
    ),
  );
  if (standing.snapshot.unstableUntil !== undefined) {
    const until = new Date(standing.snapshot.unstableUntil).toISOString();
    reviewer.say(`UNSTABLE: it changes too often to be reviewed; until ${until} nothing of it can be approved`);
  }
  if (standing.malformed.length > 0) {
    const rows = standing.malformed.flatMap((malformed) => rulingRows(malformedRow(malformed, view), view));
    reviewer.say(within(rows, view, `countersign status ${standing.server} --json has them all`).join("\n"));
  }
  let current: Standing | undefined = standing;

  if (plain.length > 0) {
    const these = plain.length === 1 ? "this definition" : `these ${plain.length} definitions`;
    const question = {
      rows: plain.flatMap((stood) => displayOf(stood, view)),
      asked: `Approve ${these} of ${standing.server}, in which nothing was found? `,
      approving: `${these} of ${standing.server}, in which nothing was found`,
      ...{ byEnter: true, unseen: sitting.unseen },
    };
    const answer = await showAndAsk(question, reviewer, view);
    const outcome = await decide(answer, current, plain, [], sitting);
    add(done, outcome, plain.length);
    if (outcome === "gone") return { ...done, left: done.left + rest.length, gone: true };
    current = await sitting.reread();
  }

  for (const [index, listed] of rest.entries()) {
    // Somebody else may have decided since, or the server may have changed: what is displayed is what stands now.
    const stood = current?.definitions.filter(waits).find((one) => isSame(one, listed));
    if (current === undefined || stood === undefined) {
      const name = shownName(listed.definition.address.name, view);
      reviewer.say(
        `${listed.definition.address.kind} ${name}: changed or decided on while you looked; review again to see it`,
      );
      done.left++;
      continue;
    }
    const rules = objectionsTo(stood.ruling);
    const scope = approvalScope(current, stood);
    const whom = scope === undefined ? "" : ` ${sayPrincipals(scope)}`;
    // A finding is never approved by the key that approves everything else.
    const question = {
      rows: displayOf(stood, view),
      asked: "",
      approving: `${rules.length > 0 ? `all the same (${rules.join(", ")})` : "the change"}${whom}`,
      ...(scope === undefined ? {} : { other: { key: "e", approve: "approve it for everyone" } }),
      ...{ byEnter: false, unseen: sitting.unseen },
    };
    const outcome = await decide(await showAndAsk(question, reviewer, view), current, [stood], rules, sitting);
    add(done, outcome, 1);
    if (outcome === "gone") return { ...done, left: done.left + rest.length - index - 1, gone: true };
    current = await sitting.reread();
  }
  return done;
}

type Outcome = "approved" | "rejected" | "left" | "gone";

async function decide(
  answer: Answer,
  standing: Standing,
  chosen: readonly Stood[],
  rules: readonly string[],
  sitting: Sitting,
): Promise<Outcome> {
  const { ledger, reviewer, policy } = sitting;
  switch (answer.is) {
    case "approve":
      await recordApproval(ledger, standing, chosen, {
        ...{ acknowledged: new Set(rules), by: reviewer.by, policy, unseen: answer.unseen },
        everyone: answer.other === true,
      });
      reviewer.say(`approved ${count(chosen.length)}${releases(standing, chosen) ? "; reconnect the host" : ""}`);
      return "approved";
    case "reject":
      await recordWithdrawal(ledger, chosen.map(seen), { is: "rejected", server: standing.server, by: reviewer.by });
      reviewer.say(`rejected ${count(chosen.length)}`);
      return "rejected";
    case "gone":
      return "gone";
    case "skip":
      return "left";
  }
}

function add(done: { approved: number; rejected: number; left: number }, outcome: Outcome, of: number): void {
  done[outcome === "gone" ? "left" : outcome] += of;
}

/** What was approved and changed comes first, the most telling change of all before the others; then what is new. */
function urgencyOf({ ruling }: Stood): number {
  // Nothing passes before it is decided on.
  if (ruling.reasons.some((reason) => reason.code === "LAUNCH_CHANGED" && reason.drift.length > 0)) return -2;
  // What a change brings in comes before what was there when somebody approved it.
  if (ruling.reasons.some((reason) => reason.code === "FINDING" && reason.added && reason.finding.effect !== "note"))
    return -1;
  for (const reason of ruling.reasons) {
    if (reason.code === "DESCRIPTION_MUTATION") return driftClasses.indexOf(reason.drift[0]?.change ?? "permuted");
  }
  return driftClasses.length;
}

function count(definitions: number): string {
  return definitions === 1 ? "1 definition" : `${definitions} definitions`;
}
