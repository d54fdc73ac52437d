import type { Cli } from "../cli/cli.ts";
import { configOption, given, ledgerOption, textOption } from "../cli/options.ts";
import { confirmAtTerminal } from "../cli/terminal.ts";
import { viewFor } from "../cli/view-for.ts";
import { doctor } from "../commands/doctor.ts";
import { fixMoved } from "../commands/entry-facts.ts";
import { surroundingsHere } from "../hosts/surroundings-here.ts";
import { sayDoctor } from "../print/say-doctor.ts";

export function doctorVerb(cli: Cli): void {
  cli
    .verb("doctor [server]", "Look for what may be amiss, and say what to do: one line for each fact.", [
      "doctor",
      "doctor files",
      "doctor --fix",
    ])
    .addOption(ledgerOption)
    .addOption(configOption)
    .addOption(textOption)
    .option("--fix", "let entries of hosts that name a Node or a Countersign that is gone name these ones")
    .option("--yes", "fix without being asked")
    .action(async (server: string | undefined, options) => {
      const only = server === undefined ? {} : { server };
      const view = viewFor(options);
      const fixed = options.fix === true ? await fixMoved(surroundingsHere(), view, asked(options.yes === true)) : [];
      cli.print(await doctor({ ...only, ...given(options), fixed }, view), options, sayDoctor);
    });
}

function asked(yes: boolean): (lines: readonly string[]) => Promise<boolean> {
  const cannot = "Cannot fix entries without a terminal, where nobody can be asked; add --yes";
  return async (lines) => yes || confirmAtTerminal(cannot, "Rewrite these? [y] yes  [Enter] no ", lines.join("\n"));
}
