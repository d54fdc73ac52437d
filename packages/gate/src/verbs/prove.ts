import { proses } from "@countersign/core";
import { Option } from "commander";
import type { Cli } from "../cli/cli.ts";
import { textOption } from "../cli/options.ts";
import { viewFor } from "../cli/view-for.ts";
import { plant } from "../commands/plant.ts";
import { prove } from "../commands/prove.ts";
import { sayPlanting } from "../print/say-planting.ts";
import { sayProof } from "../print/say-proof.ts";

export function proveVerb(cli: Cli): void {
  cli
    .verb(
      "prove [server] [command...]",
      "Change everything of an offer, one thing at a time, and show that each change is caught.",
      [
        "prove files -- npx -y @modelcontextprotocol/server-filesystem ~/notes",
        "prove --offers ./captured --json",
        "prove --offers ./captured --plant",
      ],
    )
    .addOption(textOption)
    .option("--offers <folder>", "captured offers instead of a running server")
    .addOption(
      new Option(
        "--plant",
        "plant an attack in everything of an offer instead, approve nothing, and show that each is located",
      ).conflicts("prose"),
    )
    .option("--all", "every kind of change or attack at every place, instead of one a place")
    .addOption(new Option("--prose <plan>", "the plan that all is approved under").choices([...proses]))
    .option("--seed <number>", "another choice of changes", Number)
    .action(async (server: string | undefined, [command = "", ...args]: string[], options) => {
      const from =
        options.offers !== undefined
          ? { offers: options.offers }
          : { server: server ?? "", command: { command, args } };
      const asked = { ...from, all: options.all === true, seed: options.seed ?? 1 };
      if (options.plant === true) cli.print(await plant(asked, viewFor(options)), options, sayPlanting);
      else cli.print(await prove({ ...asked, prose: options.prose ?? "as-sent" }, viewFor(options)), options, sayProof);
    });
}
