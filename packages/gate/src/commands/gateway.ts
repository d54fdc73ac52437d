import { type ExitCode, exitCodes } from "../gate-error.ts";
import { type CheckGatewayOptions, checkGateway } from "./check-gateway.ts";

export interface GatewayOptions extends CheckGatewayOptions {
  /** One line of the log. */
  readonly write: (line: string) => void;
  readonly onSignal: (listener: (signal: NodeJS.Signals) => void) => void;
}

/** Serves every configured server over HTTP until a signal ends it. Returns the exit code to end with. */
export async function gateway(options: GatewayOptions): Promise<ExitCode> {
  const { servers } = await checkGateway(options);
  for (const { path } of servers) options.write(`countersign gateway: would serve ${path}`);
  return exitCodes.incomplete;
}
