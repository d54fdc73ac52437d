/** Something that the person at the command line can mend. The message says what was being done, with what, why it failed and what to do. */
export class GateError extends Error {
  override readonly name = "GateError";
  readonly code:
    | "USAGE"
    | "CONFIG"
    | "NO_SERVER"
    | "NOTHING_WAITS"
    | "MOVED"
    | "FINDINGS"
    | "DECLINED"
    | "INCOMPLETE"
    | "LAUNCH_CHANGED";

  constructor(code: GateError["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** 0 clean, 1 findings, 2 drift or something unapproved, 3 usage or config, 4 incomplete: never 0 where something was not looked at. */
export const exitCodes = { clean: 0, findings: 1, unapproved: 2, usage: 3, incomplete: 4 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export function exitCodeOf(error: GateError): ExitCode {
  switch (error.code) {
    case "USAGE":
    case "CONFIG":
    case "NO_SERVER":
      return exitCodes.usage;
    case "FINDINGS":
      return exitCodes.findings;
    case "NOTHING_WAITS":
    case "MOVED":
    case "DECLINED":
    case "LAUNCH_CHANGED":
      return exitCodes.unapproved;
    case "INCOMPLETE":
      return exitCodes.incomplete;
  }
}
