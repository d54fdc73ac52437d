import type { Cli } from "../cli/cli.ts";
import { configOption, given, ledgerOption, textOption } from "../cli/options.ts";
import { viewFor } from "../cli/view-for.ts";
import { doctor } from "../commands/doctor.ts";
import { sayDoctor } from "../print/say-doctor.ts";

export function doctorVerb(cli: Cli): void {
  cli
    .verb("doctor [server]", "Look for what may be amiss, and say what to do: one line for each fact.", [
      "doctor",
      "doctor files",
    ])
    .addOption(ledgerOption)
    .addOption(configOption)
    .addOption(textOption)
    .action(async (server: string | undefined, options) => {
      const only = server === undefined ? {} : { server };
      cli.print(await doctor({ ...only, ...given(options) }, viewFor(options)), options, sayDoctor);
    });
}
