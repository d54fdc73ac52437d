import { addressKey, type ServerName, visible } from "@countersign/core";
import { policyDigest, unplanned } from "@countersign/judge";
import { planned, recordApproval, seen } from "../commands/approve.ts";
import { type Places, settingsFor, withLedger } from "../commands/open.ts";
import { type Reviewer, showAndAsk } from "../commands/show-and-ask.ts";
import { recordWithdrawal } from "../commands/withdraw.ts";
import type { Pinned, Wrapping } from "../hosts/edit/wrap-entry.ts";
import type { Entry, Reach } from "../hosts/entry.ts";
import type { Surroundings } from "../hosts/host.ts";
import { remoteStartOf } from "../hosts/remote-start-of.ts";
import type { Start, WholeStart } from "../hosts/start-of.ts";
import { whyLeft } from "../hosts/why-left.ts";
import { floatingOf, innermost } from "../launch/floating.ts";
import { wordsWithoutSecrets } from "../launch/launch-of.ts";
import { withoutSecrets } from "../launch/without-secrets.ts";
import { malformedRow } from "../print/definition-row.ts";
import { displayOf } from "../print/display-of.ts";
import { rulingRows } from "../print/ruling-rows.ts";
import { sayBaseline, sayImpossible } from "../print/say-baseline.ts";
import { shownWords } from "../print/shown-reach.ts";
import { paint, type View } from "../print/view.ts";
import { counted, within } from "../print/within.ts";
import { isClean, type Standing, standingOf, waits } from "../standing.ts";
import { baseline } from "./baseline.ts";
import { hostStart } from "./host-start.ts";
import { npxVersion } from "./npx-version.ts";
import { remoteWords, variableFor } from "./remote-words.ts";

/** What came of one server's turn. */
export type Sat =
  | {
      /** `waits`: something of it is left for `review`. `not-seen`: nobody could look at it here, so all of it waits. */
      readonly is: "approved" | "waits" | "not-seen" | "rejected";
      readonly pinned?: Pinned;
    }
  /** A command of a project or a plugin that the person does not want to be started. `quit`: the person has left. */
  | { readonly is: "declined" | "quit" };

export interface SittingOptions {
  readonly server: ServerName;
  readonly guard: Wrapping["guard"];
  readonly surroundings: Surroundings;
  readonly places: Places;
  readonly deadline: number;
  /** Nobody is asked where it is undefined; then nothing is approved. */
  readonly reviewer: Reviewer | undefined;
  readonly view: View;
}

/** Starts one server through the gate, shows what it offers, and asks once. */
export async function sitting(entry: Entry, options: SittingOptions): Promise<Sat> {
  const { server, surroundings, reviewer, view, places } = options;
  const say = (text: string) => reviewer?.say(text);
  const { reach } = entry;
  const start =
    reach.is === "remote"
      ? remoteStart(entry, reach, { surroundings, reviewer })
      : await hostStart(entry, surroundings);
  if (whyLeft(entry) !== undefined) {
    if (reviewer === undefined) return { is: "not-seen" };
    const answer = await mayStart(entry, reviewer);
    if (answer !== "yes") return { is: answer === "gone" ? "quit" : "declined" };
  }
  if (start.is === "impossible") {
    say(sayImpossible(server, start));
    return { is: "not-seen" };
  }
  const { command } = start;
  const isRemote = reach.is === "remote";
  say(paint(view, "dim", `${server}: ${isRemote ? "asking" : "starting"} it once, through the gate`));
  let looked = await baseline(guarded(command, options));
  let pinned: Pinned | undefined;
  if (reviewer !== undefined && looked.is === "seen" && !isRemote) {
    const answer = await offerPin(command, reviewer, options);
    if (answer === "gone") return { is: "quit" };
    if (answer !== undefined) {
      pinned = answer;
      looked = await baseline(guarded(pinnedTo(command, answer), options));
    }
  }
  if (looked.is === "not-seen") say(sayBaseline(server, looked, view));
  const withPin = pinned === undefined ? {} : { pinned };
  const outcome = await withLedger(places, async (ledger) => {
    const { policy } = (await settingsFor(server, places)).settings;
    const standing = await standingOf(ledger, server, policy);
    if (standing === undefined) return "not-seen";
    if (!standing.definitions.some(waits)) return looked.is === "seen" ? "approved" : "not-seen";
    if (reviewer === undefined || looked.is === "not-seen") return looked.is === "seen" ? "waits" : "not-seen";
    const now = pinnedTo(command, pinned);
    const inner = innermost(now.command, now.args);
    const floats = !isRemote && floatingOf(inner.command, inner.args).length > 0 && policy.plans.prose === undefined;
    const plain = standing.definitions.filter((one) => waits(one) && isClean(one.ruling));
    const freezable = plain.filter(({ definition: { address } }) => {
      return !unplanned.has(address.kind) && policy.plans.definitions.get(addressKey(address))?.prose === undefined;
    });
    const frozen =
      floats && freezable.length > 0
        ? await planned(ledger, standing, freezable, policy, { prose: "frozen" })
        : undefined;
    return decide({ standing, frozen }, { ...options, reviewer, ledger, policy: policyDigest(policy) });
  });
  return outcome === "quit" ? { is: "quit" } : { is: outcome, ...withPin };
}

/** What stands behind `run <name>` for a server at a URL, as its host would have put its variables in. */
function remoteStart(
  entry: Entry,
  reach: Extract<Reach, { is: "remote" }>,
  { surroundings, reviewer }: Pick<SittingOptions, "surroundings" | "reviewer">,
): Start {
  const start = remoteStartOf(entry, reach, surroundings);
  if (start.is === "impossible") return start;
  const words = remoteWords(reach);
  const expanded = words.words.map((word) => (word === reach.url ? start.said : word));
  // Where nobody is there, nobody is asked to sign in either.
  const [command = "", ...args] = [...expanded, ...(reviewer === undefined ? ["--no-browser"] : [])];
  const variables = [...words.env.keys()].map((variable): [string, string] => {
    const name = [...reach.headers.keys()].find((one) => variableFor(one) === variable) ?? "";
    return [variable, start.headers.get(name.toLowerCase()) ?? ""];
  });
  const env = Object.fromEntries([...surroundings.env, ...variables]);
  return { is: "command", command: { command, args, cwd: surroundings.home, env } };
}

function guarded({ command, args, cwd, env }: WholeStart, { guard, deadline }: SittingOptions) {
  return { cwd, env, command: [...guard, command, ...args], deadline };
}

function pinnedTo(command: WholeStart, pinned: Pinned | undefined): WholeStart {
  if (pinned === undefined) return command;
  return { ...command, args: command.args.map((word) => (word === pinned.from ? pinned.to : word)) };
}

/** Somebody else wrote it, or a shell decides what it runs, so the person sees all of it first. */
async function mayStart({ reach, file }: Entry, { say, ask }: Reviewer): Promise<"yes" | "no" | "gone"> {
  if (reach.is === "remote") {
    say(`\n"${visible(file.path)}" (${file.scope}) would have this asked, with what you are known by there:`);
    say(`  ${visible(withoutSecrets(reach.url))}`);
    if (reach.headers.size > 0)
      say(`  with ${[...reach.headers.keys()].map((name) => visible(name)).join(", ")} in its headers`);
    const answered = await ask("Ask exactly this? [y] yes  [Enter] no, leave it as it is ");
    if (answered === undefined) return "gone";
    return answered.trim().toLowerCase() === "y" ? "yes" : "no";
  }
  if (reach.is !== "stdio") throw new RangeError("only a command is started");
  say(`\n"${visible(file.path)}" (${file.scope}) would start, as you and with all that you may do:`);
  say(`  ${shownWords(wordsWithoutSecrets(reach.command, reach.args))}`);
  if (reach.env.size > 0)
    say(`  with ${[...reach.env.keys()].map((name) => visible(name)).join(", ")} in its environment`);
  if (reach.cwd !== undefined) say(`  in "${visible(reach.cwd)}"`);
  const answer = await ask("Start exactly this? [y] yes  [Enter] no, leave it as it is ");
  if (answer === undefined) return "gone";
  return answer.trim().toLowerCase() === "y" ? "yes" : "no";
}

/** A package without a version is whatever is published when the host starts it. */
async function offerPin(
  { command, args }: WholeStart,
  { say, ask }: Reviewer,
  { server, surroundings }: SittingOptions,
): Promise<Pinned | "gone" | undefined> {
  if (!floatingOf(command, args).includes("unpinned-package")) return undefined;
  const pinned = await npxVersion({ command, args }, surroundings);
  if (pinned === undefined) {
    say(
      `${server}: its package has no version, and which one has just run cannot be known here; write one into its file`,
    );
    return undefined;
  }
  say(`${server}: its package has no version, so it is whatever is published when your host starts it`);
  const answer = await ask(
    `What has just run is ${visible(pinned.to)}. Write that into the file? [Enter] yes  [s] leave it floating `,
  );
  if (answer === undefined) return "gone";
  return ["", "y"].includes(answer.trim().toLowerCase()) ? pinned : undefined;
}

interface Deciding extends SittingOptions {
  readonly reviewer: Reviewer;
  readonly ledger: Parameters<typeof recordApproval>[0];
  readonly policy: ReturnType<typeof policyDigest>;
}

/** One decision about all in which nothing was found, how it is started and what it offers; the rest is for `review`. */
async function decide(
  { standing, frozen }: { readonly standing: Standing; readonly frozen: Standing | undefined },
  { server, reviewer, view, ledger, policy }: Deciding,
): Promise<"approved" | "waits" | "rejected" | "quit"> {
  const waiting = standing.definitions.filter(waits);
  const shownIn = frozen ?? standing;
  const plain = shownIn.definitions.filter((one) => waits(one) && isClean(one.ruling));
  const rest = waiting.filter(({ ruling }) => !isClean(ruling));
  reviewer.say(paint(view, "bold", `\n${server}: ${counted(waiting.length, "definition")}`));
  if (standing.malformed.length > 0) {
    const rows = standing.malformed.flatMap((malformed) => rulingRows(malformedRow(malformed, view), view));
    reviewer.say(within(rows, view, `countersign status ${server} --json has them all`).join("\n"));
  }
  if (rest.length > 0) {
    const rows = rest.flatMap((stood) => displayOf(stood, view));
    reviewer.say(within(rows, view, `countersign review ${server} shows the rest`).join("\n"));
    reviewer.say(
      `${counted(rest.length, "definition")} of ${server}, with findings or changed, ${rest.length === 1 ? "waits" : "wait"} for countersign review ${server}`,
    );
  }
  if (plain.length === 0) return "waits";
  const these = plain.length === 1 ? "this definition" : `these ${plain.length} definitions`;
  const about = `${these} of ${server}, how it is started and what it offers, in which nothing was found`;
  const how = frozen === undefined ? "" : "; it may become another program, so its prose stays as it is now (frozen)";
  const answer = await showAndAsk(
    {
      rows: plain.flatMap((stood) => displayOf(stood, view)),
      asked: `Approve ${about}${how}? `,
      approving: about,
      ...(frozen === undefined ? {} : { other: { key: "o", approve: "yes, prose as it is sent" } }),
      ...{ byEnter: true, unseen: false },
    },
    reviewer,
    view,
  );
  switch (answer.is) {
    case "approve": {
      const under = answer.other === true ? standing : shownIn;
      const chosen = under.definitions.filter((one) => waits(one) && isClean(one.ruling));
      const signing = { acknowledged: new Set<string>(), by: reviewer.by, policy, unseen: answer.unseen };
      await recordApproval(ledger, under, chosen, signing);
      reviewer.say(`approved ${counted(chosen.length, "definition")}`);
      return rest.length === 0 ? "approved" : "waits";
    }
    case "reject":
      await recordWithdrawal(ledger, plain.map(seen), { is: "rejected", server, by: reviewer.by });
      reviewer.say(`rejected ${counted(plain.length, "definition")}`);
      return "rejected";
    case "skip":
      return "waits";
    case "gone":
      return "quit";
  }
}
