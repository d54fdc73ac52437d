import { Argument } from "commander";
import type { Cli } from "../cli/cli.ts";
import { completionScripts, type Shell, shells } from "../cli/completion-scripts.ts";

export function completionVerb(cli: Cli): void {
  cli
    .verb("completion", "Print what makes a shell complete these commands, their options and your servers' names.", [
      "completion bash >> ~/.bashrc",
      "completion zsh > ~/.zfunc/_countersign",
      "completion fish > ~/.config/fish/completions/countersign.fish",
      "completion powershell >> $PROFILE",
    ])
    .addArgument(new Argument("<shell>", "which shell").choices(shells))
    .action((shell: Shell, options) => {
      cli.print({ script: completionScripts[shell], exitCode: 0 }, options, ({ script }) => script.trimEnd());
    });
}
