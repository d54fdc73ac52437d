/** One thing that Countersign has to do, and where that is asked for. */
export interface Requirement {
  /** Tests cite it in their names: `[transparency.bytes]`. */
  readonly id: string;
  readonly text: string;
  readonly source: string;
  /** Files that show it instead: tests and vectors that stand beside what they test, programs, documents. */
  readonly shownBy?: readonly string[];
}

/**
 * To add one: write it here, and its id into the name of a test of any package. `coverage.test.ts` fails for an id that
 * nothing cites, and for a citation of nothing.
 */
export const requirements: readonly Requirement[] = [
  ...from("issue 2, build 1: the house", [
    ["house.layers", "an import that a layer forbids fails the checks", ["tools/check-layers.test.ts"]],
    ["house.tally", "the last line of .ci/run is the sum of all reports", ["tools/tally.test.ts"]],
    [
      "house.exports",
      "nothing is exported that nobody calls, every rule has its page",
      ["tools/check-exports.ts", "tools/ok.ts"],
    ],
    [
      "house.documents",
      "what a stranger reads first",
      ["README.md", "CHANGELOG.md", "SECURITY.md", "docs/architecture.md", "docs/format.md", "docs/threat-model.md"],
    ],
  ]),
  ...from("issue 2, build 2: core", [
    [
      "core.reader",
      "a lossless reader with bounds and named refusals",
      ["vectors/json", "packages/core/src/json.test.ts"],
    ],
    [
      "core.offer",
      "complete offers; one malformed definition is isolated",
      ["vectors/offer", "packages/core/src/offer.test.ts"],
    ],
    [
      "core.surface",
      "every key and every leaf of every kind",
      ["vectors/surface", "packages/core/src/surface.test.ts"],
    ],
    [
      "core.canonical",
      "RFC 8785, and numbers that a double cannot hold",
      ["vectors/canonical", "packages/core/src/laws.test.ts"],
    ],
    [
      "core.digest",
      "digests that an independent implementation makes too",
      ["vectors/digest/make.py", "packages/core/src/digest.test.ts"],
    ],
    ["core.drift", "what differs, ranked and classified", ["vectors/drift", "packages/core/src/drift.test.ts"]],
    [
      "core.api",
      "bindManifest(), verifyDefinition(), and errors with closed codes",
      ["packages/core/src/verify-definition.test.ts", "packages/judge/src/bind-manifest.test.ts"],
    ],
  ]),
  ...from("issue 2, build 3: judge", [
    [
      "judge.rules",
      "a dozen rules, each with what it finds and what it leaves alone",
      ["vectors/rules", "packages/judge/src/rules/vectors.test.ts"],
    ],
  ]),
  ...from("issue 2, build 4: ledger", [
    [
      "ledger.journal",
      "the journal is the source, the fold is pure",
      ["packages/ledger/src/contract.test.ts", "packages/ledger/src/laws.test.ts"],
    ],
    ["ledger.processes", "several processes, and none loses an entry", ["packages/ledger/src/concurrency.test.ts"]],
    ["ledger.sqlite", "SQLite with migrations under it", ["packages/ledger/src/sqlite/open-sqlite.test.ts"]],
    ["ledger.verify", "a journal that was touched is not sound", ["packages/ledger/src/verify.test.ts"]],
  ]),
  ...from("issue 2, build 5: frames", [
    ["frame.refused", "what two readers read differently is refused by name, and the session lives"],
    ["frame.one-line", "what goes out is one line to every reader"],
    ["frame.batch", "a batch is refused"],
    ["frame.unasked", "a second or unasked answer is dropped"],
    ["frame.too-long", "a message that is too long is refused and never held whole"],
    ["frame.host", "a host's own message is refused in the same way, and the host is told"],
  ]),
  ...from("issue 2, build 5: offers", [
    ["pages.one", "all pages are joined to one, and no cursor is issued"],
    ["pages.endless", "a list of endless pages is withheld"],
    ["pages.repeated", "a list whose cursor comes back is withheld"],
    ["offer.malformed", "a malformed definition is withheld and no other"],
    ["offer.duplicates", "of two definitions of one name neither is served"],
    ["silent.list", "a list that never comes is withheld, and the others are not"],
  ]),
  ...from("issue 2, build 5: every kind is under the baseline gate", [
    ["first-sight.withheld", "nothing of any kind is shown before it is approved"],
    ["first-sight.notice", "the notice says how much is withheld"],
    ["first-sight.refused", "nothing of any kind can be used before it is approved"],
    ["first-sight.approved", "what is approved is shown and works"],
    ["refusal.words", "a refusal holds a reason and a review, and no words of the server"],
    ["changed.place", "one changed place takes exactly its definition away, or leaves the approved text"],
    ["respelled.no-drift", "another spelling of the same value is no drift"],
    ["respelled.approved-text", "what is served is the stored, approved text"],
    ["served.uncached", "what is made anew may not be kept by a host"],
    ["unapproved.silent", "nothing that an unapproved server wrote passes, by any message"],
    ["errors.unapproved", "an unapproved server's errors are replaced"],
    ["errors.versions", "but for the versions that a client negotiates by"],
    ["errors.approved", "what an approved server answers a call with passes as it is"],
    ["approved.first-words", "an approved server is heard from its first word on"],
  ]),
  ...from("issue 2, build 5: calls", [
    ["call.stale", "a call after list_changed is checked against the list as it is then"],
    ["call.shown", "a call means the digest that was shown on this connection"],
    ["cold.list", "a modern tools/list without a handshake"],
    ["cold.call", "a modern tools/call without a list"],
    ["cold.unapproved", "both are refused for what is not approved"],
    ["cold.changed", "both are refused for what came back changed"],
    ["cold.error", "the error of a cold call passes"],
    ["use.decided-against", "a template does not overrule a decision against a resource"],
    ["live.approve", "an approval reaches a running host"],
    ["live.revoke", "a revocation reaches a running host"],
    ["live.modern", "both do so on the stream that a modern host listens on"],
    ["methods.host", "unknown methods are refused from the host"],
    ["methods.server", "unknown methods are refused from the server"],
    ["methods.sampling", "sampling is refused"],
    ["methods.input-requests", "also where an answer asks for it"],
    ["approved.early-flood", "what waits for a host that is not ready is bounded"],
  ]),
  ...from("issue 2, build 5: processes", [
    ["end.signal", "a signal is passed on, and so is the exit code"],
    ["end.second-signal", "the second signal kills"],
    ["end.server", "the server's own end is passed on"],
    ["end.host", "a host that hangs up ends the server"],
    ["end.stubborn", "even one that ignores everything"],
    ["end.sdk", "even if the host kills Countersign"],
    ["end.grandchildren", "and what the server started"],
    ["end.drained", "what was written before the end is answered"],
  ]),
  ...from("issue 2, build 6: gate", [
    ["approve.offer", "the digest of an offer approves exactly that set"],
    ["approve.digest", "the digest of a definition approves exactly that"],
    ["approve.moved", "a set that moved is not approved"],
    ["config.first-sight", "approve-clean is for a first complete offer only"],
    ["config.refetch", "refetchOnCall asks again before every call"],
    ["scan.whole", "a look is over when everything was looked at, whatever the server says meanwhile"],
    ["review.race", "what somebody else decided meanwhile is not overruled unseen"],
    ["review.first-sight", "one decision a server; a finding stops it"],
    ["review.drift", "a change side by side, with what hides in it"],
    ["review.hang-up", "a terminal that goes away approves nothing"],
    ["cli.transcripts", "every command: what it prints, on which stream, and its exit code"],
  ]),
  ...from("issue 2, build 7: prove", [
    [
      "prove.arms",
      "every change of every carrier is caught, no respelling is",
      ["packages/gate/src/prove/prove.test.ts"],
    ],
    [
      "prove.mutations",
      "a mutator with an oracle of its own",
      ["packages/gate/src/prove/mutations.test.ts", "packages/gate/src/prove/respell.test.ts"],
    ],
    ["prove.captures", "captured offers", ["packages/gate/src/prove/captured-offers.test.ts"]],
  ]),
  ...from("issue 2, it must show 1", [["demo.runs", "npm run demo", ["demo/demo.ts"]]]),
  ...from("issue 2, it must show 2", [
    ["prove.run", "a seeded sample of all changes and respellings, through a real run process"],
  ]),
  ...from("issue 2, it must show 3", [
    ["transparency.bytes", "with all approved and unchanged, every message is what the server sent"],
    ["transparency.pin", "a server without the newer era fails for a pinned client as it does without us"],
  ]),
  ...from("issue 2, it must show 4", [
    ["start.not-found", "command not found"],
    ["start.not-allowed", "permission denied"],
    ["start.exits", "exits at start"],
    ["start.killed", "is killed at start"],
    ["silent.says", "never answers"],
    ["stdout.rubbish", "writes rubbish on stdout"],
    ["stderr.escapes", "writes escapes on stderr"],
  ]),
  ...from("issue 2, it must show 5", [
    ["figures.measured", "start-up, memory and latency as ratios in one run", ["bench/figures.ts"]],
  ]),
  ...from("issue 3, point 3: races", [
    ["race.revoked", "a ruling on the same bytes does not outlive a revocation"],
    ["race.moved", "what changes while somebody looks is not approved"],
    ["race.reviewers", "of two who decide over the same, the second decides nothing unseen"],
    ["race.rollback", "an older approved version is drift once a newer one is approved"],
    ["race.rename", "a clean rename is not part of the first offer that approve-clean is for"],
    [
      "race.fresh-ledger",
      "eight that start on a fresh ledger at once; two approvers in two processes",
      ["packages/ledger/src/concurrency.test.ts"],
    ],
    ["race.swap", "a swap between list and call, and a call that races list_changed", ["test/guard.test.ts"]],
  ]),
  ...from("issue 3, point 9: floods", [
    ["flood.quota", "sightings of one server are journalled so often an hour, and ruled on all the same"],
    ["flood.unapprovable", "while the journal may lack what is offered, nothing of it can be approved"],
    ["flood.bound", "what is approved stays"],
    ["flood.settles", "what is offered when the hour is over is journalled, and reviewed"],
    ["flood.decided", "whoever keeps up with the changes is not held up"],
    ["flood.weight", "large changes take more of the quota"],
    ["flood.others", "another server has a quota of its own"],
    ["flood.session", "a flood leaves other servers, the ledger, memory and its own session unharmed"],
    ["flood.tools", "so does a list of 100,000 tools"],
    ["flood.diff", "a change of 34,000 words is shown within a second"],
    ["flood.clock", "a clock that goes back locks nobody out"],
  ]),
  ...from("issue 3, point 10: endurance", [
    ["endurance.newer", "a ledger of a newer version allows nothing, and one line says so"],
    ["endurance.damaged", "so does one that is damaged"],
    ["endurance.disk-full", "and one on a full disk"],
    ["endurance.read-only", "and one that may only be read"],
    ["endurance.disk-fills", "a disk that fills up costs no approval and allows nothing new"],
    ["endurance.killed", "kill -9 at any moment of an approval", ["test/soak/killed-approvals.soak.ts"]],
    ["endurance.clock", "a clock that goes back stops no journal and takes no approval away"],
  ]),
  ...from("issue 3, point 11: ease", [
    [
      "ease.second",
      "a decision reaches a running host within a second of the journal's entry, and so does a bypass's end",
    ],
    ["ease.observe", "under observe everything passes as it was sent, and is judged and journalled all the same"],
    ["ease.observe-bounds", "but for what is malformed, sampling and unknown methods"],
    ["ease.bypass", "a bypass lets everything pass until it is over, and leaves nothing behind"],
    ["ease.bypass-asked", "it has a time of a day at most, and somebody says yes to it"],
    ["ease.bypass-clock", "a clock that goes back ends it"],
    ["ease.decided-against", "what somebody rejected or revoked stays out under both"],
    ["ease.launch", "a server whose launch changed is started under both, and that is said"],
    ["ease.shouts", "status and run say that everything passes"],
    ["ease.rereview", "what is approved stays bound when a rule comes to speak against it, and is listed apart"],
    ["ease.rereview-keep", "a key of its own keeps it, with what was acknowledged and the rules of today"],
    ["ease.rereview-strict", "strict takes it away"],
  ]),
  ...from("issue 3, build 4: identity", [
    ["identity.look-alike", "a name that is taken for another server's approved tool is asked about"],
    ["identity.incumbent", "who was approved first stays bound, and is not asked about again"],
    ["identity.no-squatting", "only what is approved is a neighbour"],
    ["identity.shared", "the very same name on two servers is a note"],
    ["identity.colliding", "two names of one server that are taken for one are asked about"],
    ["identity.rename", "a near twin of a name that is gone is asked about"],
    [
      "identity.rules",
      "each identity rule, with what it finds and what it leaves alone",
      ["vectors/rules/look-alike-name", "vectors/rules/colliding-names", "vectors/rules/rename"],
    ],
  ]),
  ...from("issue 3, build 4: launch", [
    ["launch.definition", "how a server is reached, as a pure function of the facts", ["vectors/launch"]],
    ["launch.standing", "who is started, who is held", ["packages/core/src/launch.test.ts"]],
    ["launch.first-sight", "the launch waits with what the server offers, for one decision"],
    ["launch.changed", "a changed launch is one decision with a diff, and equal digests stay bound"],
    ["launch.not-started", "until then the program is not started"],
    ["review.launch", "what changed of it is shown to the person"],
    ["launch.held", "and the host is told so, whatever it asks"],
    ["launch.superseded", "an approval supersedes the launch before it"],
    ["launch.secrets", "another token is no change, and no token is kept"],
    ["launch.environment", "variables that steer are a part of it"],
    ["launch.executable", "so is the file behind the PATH and behind links"],
    ["launch.floating", "what can change by itself is said to"],
    ["launch.decided-against", "a launch is rejected and revoked like any definition"],
    ["launch.old-ledger", "a ledger without launches asks once for each server"],
  ]),
  ...from("issue 4, build 5: a lockfile of another tool", [
    ["import.hash", "its hashes are reproduced, in both of its canonical forms"],
    ["import.read", "a file that two readers could understand differently is none"],
    ["import.compared", "what it covers is compared, and what it does not is named"],
    ["import.coverage", "a change outside its coverage is the same to it, and said to be outside"],
    ["import.approves-nothing", "it approves nothing"],
    ["import.incomplete", "what could not be compared is never taken for the same"],
  ]),
  ...from("issue 4, it must show 3: the same bytes again", [
    ["memo.unchanged", "a list that is known is served without being parsed again, under every id"],
    ["memo.id", "another id is the same message, and what may be no plain id is left to the parser"],
    ["memo.byte", "one changed byte anywhere is another message"],
    ["memo.lines", "what another reader takes for two lines is not passed as it is"],
    ["memo.pages", "other pages, or the same in another order, are another list"],
    ["memo.revoked", "no list outlives a revocation or a rejection"],
    ["memo.expired", "nor the time that its approval ends at"],
    ["memo.bypassed", "nor the end of a bypass"],
    ["memo.launch", "nor a changed launch"],
    ["memo.sighted", "what is offered again is journalled where the ledger holds something else"],
    ["memo.back", "what comes back after a change is what it was"],
    ["memo.duplicates", "two of one name are refused each time"],
    ["memo.twins", "so are twins of keys"],
    ["memo.others", "an event about another server makes nobody judge again"],
    ["memo.figures", "what a list costs, as ratios in one run", ["bench/offer.ts", "docs/performance.md"]],
  ]),
];

type Row = readonly [id: string, text: string, shownBy?: readonly string[]];

function from(source: string, rows: readonly Row[]): readonly Requirement[] {
  return rows.map(([id, text, shownBy]) => ({ id, text, source, ...(shownBy === undefined ? {} : { shownBy }) }));
}
