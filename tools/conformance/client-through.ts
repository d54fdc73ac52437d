import { spawn } from "node:child_process";
import { gatewayIn } from "../../test/rig/gateway.ts";
import { openPlace } from "../../test/rig/place.ts";

/**
 * What the suite starts as the client of one scenario: a gateway in front of the suite's server, whose URL is the last
 * argument, and the client of the other arguments against that gateway.
 *
 * Nothing is looked at or approved beforehand, as the suite counts every request that its server gets; the server is
 * observed. So all passes that is known to the protocol, and every part of the way is taken but a refusal.
 */
const [url = "", ...reversed] = process.argv.slice(2).toReversed();
const [command = "", ...args] = reversed.toReversed();
const place = openPlace();
const gateway = await gatewayIn(place, { servers: { suite: { url, mode: "observe" } } });
const client = spawn(command, [...args, gateway.url("suite").href.replace("127.0.0.1", "localhost")], {
  stdio: "inherit",
});
const code = await new Promise<number | null>((ended) => client.on("close", ended));
await gateway.close();
if (process.env["COUNTERSIGN_SHOW_GATEWAY"] !== undefined) process.stderr.write(gateway.child.output);
await place.close();
process.exitCode = code ?? 1;
