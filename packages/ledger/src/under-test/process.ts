import type { Ledger } from "../ledger.ts";
import { approval, sampleTool, seen, serverNamed, sighting } from "./samples.ts";
import { storeNamed } from "./stores.ts";

/**
 * A process of its own that holds a ledger. Usage: process.ts <store> <place> <job> [<who>]. It says "ready", opens the
 * ledger at the first line on stdin, and writes one line of JSON for each thing that it did.
 */
const [, , storeName, place = "", job, who = "someone"] = process.argv;
const store = storeNamed(storeName);
const server = serverNamed("files");
const tool = sampleTool("read");

tell("ready");
await word();
const ledger = await store.open(place);
switch (job) {
  case "sight":
    tell(await ledger.record(sighting(serverNamed(who), [tool]), { texts: [tool] }));
    break;
  case "approve":
    await approve(ledger);
    break;
  case "sight for ever":
    for (let version = 0; ; version++) {
      const next = sampleTool("read", `version ${version} of ${who}`);
      tell(await ledger.record(sighting(server, [next]), { texts: [next] }));
    }
  case "watch":
    await watch(ledger);
    break;
  default:
    throw new RangeError(`no job is called ${job}`);
}
await ledger.close();
process.stdin.destroy();

/** Says what it has looked at, and approves that at the next word. */
async function approve(ledger: Ledger): Promise<void> {
  const { seq } = await ledger.snapshot(server);
  tell(seq);
  await word();
  const sighted = { is: "sighted", definitions: [seen(tool)] } as const;
  const expecting = [sighted, { is: "unchanged-since", seq } as const];
  tell(await ledger.record(approval(server, [tool], { by: who }), { expecting }));
}

/** Says how many definitions are bound, at once and after each word, until stdin ends. */
async function watch(ledger: Ledger): Promise<void> {
  do tell((await ledger.snapshot(server)).bindings.size);
  while (await word());
}

function tell(what: unknown): void {
  process.stdout.write(`${JSON.stringify(what)}\n`);
}

function word(): Promise<boolean> {
  return new Promise((resolve) => {
    const stop = (said: boolean) => {
      process.stdin.off("data", onData).off("end", onEnd).pause();
      resolve(said);
    };
    const onData = () => stop(true);
    const onEnd = () => stop(false);
    process.stdin.on("data", onData).on("end", onEnd).resume();
  });
}
