import { visible } from "@countersign/core";
import type { ReachProblem } from "../gateway/usable-reach.ts";

/** Why a server behind the gateway cannot be reached, as its part of the config and the variables are now. */
export function sayReachProblem({ at, code, variable = "" }: ReachProblem): string {
  const member = visible(at);
  switch (code) {
    case "NO_VARIABLE":
      return `${member}: ${visible(variable)} has no value in the gateway's environment`;
    case "NUL":
      return `${member}: with its variables it holds a NUL, at which the system would end it`;
    case "NO_COMMAND":
      return `${member}: with its variables it is empty`;
    case "NOT_ABSOLUTE":
      return `${member}: with its variables it is no absolute path`;
    case "BAD_HEADER":
      return `${member}: with its variables it is no value that a header can have`;
    case "BAD_URL":
      return `${member}: with its variables it is no URL that may be called`;
  }
}
