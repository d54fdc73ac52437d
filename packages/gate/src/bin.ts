#!/usr/bin/env node
// Before anything is loaded that an older Node would stumble over: node:sqlite came without a flag in 22.13.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 13)) {
  process.stderr.write(
    `countersign: cannot run on Node ${process.versions.node}: it needs Node 22.13 or newer; update Node, or name a newer one in the host's config\n`,
  );
  process.exitCode = 3;
} else {
  /** node:sqlite warns on every start that it may still change; the ledger's tests on this Node are the answer to that. */
  const emitWarning = process.emitWarning.bind(process) as (...args: unknown[]) => void;
  process.emitWarning = (...args: unknown[]) => {
    if (!String(args[0]).includes("SQLite is an experimental feature")) emitWarning(...args);
  };
  const { main } = await import("./main.ts");
  process.exitCode = await main(process.argv.slice(2));
}

export {};
