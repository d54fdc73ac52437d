import type { Cli } from "../cli/cli.ts";
import { init } from "../commands/init.ts";
import { sayInit } from "../print/say-init.ts";

export function initVerb(cli: Cli): void {
  cli
    .verb("init", "Write a config to begin with: of this project, or your own.", ["init", "init --user"])
    .option("--user", "your own config, which counts for all projects")
    .option("--force", "write over the config if it is there")
    .action(async (options) => {
      cli.print(await init({ user: options.user === true, force: options.force === true }), options, sayInit);
    });
}
