import { version } from "../version.ts";

const schema = `"$schema": "https://unpkg.com/countersign@${version}/countersign.schema.json",`;

/** For GitHub: holds what servers offer against the lockfile in every pull request. */
export const workflowStart = `# countersign check: docs/ci.md. The servers that it starts are code of the pull request: never under pull_request_target.
name: countersign
on: [pull_request]
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0
        with: { persist-credentials: false }
      - uses: actions/setup-node@2028fbc5c25fe9cf00d9f06a71cc4710d4507903 # v6.0.0
        with: { node-version: 22 }
      # Whatever the servers need, as in: npm ci
      - run: npx --yes countersign@${version} check --all
`;

/** For pre-commit: starts no server. */
export const hookStart = `repos:
  - repo: local
    hooks:
      - id: countersign
        name: countersign check
        entry: countersign check --no-spawn
        language: node
        additional_dependencies: ["countersign@${version}"]
        pass_filenames: false`;

/** A project's config: all of it tightens, so that it counts for everybody at once. */
export const projectStart = `{
  ${schema}
  // Settings of this project. Until somebody trusts this very file (countersign trust), it only makes their own settings
  // stricter; what it would loosen is ignored, and said to be.

  // Take an approved definition away when a rule comes to refuse it.
  // "strict": true,

  // Ask a server for its list again before a call, where the last one is older.
  // "checkpoints": { "maxAge": "10m" },

  // Let a rule ask or refuse where it would only note: countersign explain <rule>
  // "severities": { "preference": "refuse" },

  "servers": {
    // Of single servers, by the name that you give them.
    // "files": { "only": ["tool read_text_file", "tool list_directory"], "close": true }
  }
}
`;

/** The user's own config, which may loosen too. */
export const userStart = `{
  ${schema}
  // Your own settings. What is not said here is at its default, which is the stricter one.

  // What happens to a server's very first offer: it waits ("quarantine"), or what has no findings is approved ("approve-clean").
  // "firstSight": "quarantine",

  // What the model reads of servers' prose: "as-sent", "frozen" (as it was when it was approved) or "stripped". docs/plans.md
  // "prose": "as-sent",

  // Mark servers' prose as untrusted text for the model.
  // "fence": true,

  "servers": {
    // "files": { "prose": "frozen", "definitions": { "tool write_file": { "narrow": { "properties": { "path": { "pathUnder": "/home/me/notes" } } } } } }
  }
}
`;
