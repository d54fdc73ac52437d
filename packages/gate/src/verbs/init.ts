import { Option } from "commander";
import type { Cli } from "../cli/cli.ts";
import { init } from "../commands/init.ts";
import { sayInit } from "../print/say-init.ts";

export function initVerb(cli: Cli): void {
  cli
    .verb("init", "Write a config to begin with: of this project, or your own.", ["init", "init --user", "init --ci"])
    .option("--user", "your own config, which counts for all projects")
    .addOption(new Option("--ci", "a workflow for GitHub that runs countersign check").conflicts("user"))
    .option("--force", "write over the file if it is there")
    .action(async (options) => {
      const of = options.user === true ? "user" : options.ci === true ? "ci" : "project";
      cli.print(await init({ of, force: options.force === true }), options, sayInit);
    });
}
