import type { Rule } from "../rule.ts";
import { aboveTheUser } from "./above-the-user.ts";
import { agentOrder } from "./agent-order.ts";
import { argumentTampering } from "./argument-tampering.ts";
import { callSyntax } from "./call-syntax.ts";
import { concealment } from "./concealment.ts";
import { contextHarvest } from "./context-harvest.ts";
import { foreignToolOrder } from "./foreign-tool-order.ts";
import { hiddenText } from "./hidden-text.ts";
import { htmlComment } from "./html-comment.ts";
import { ignoreInstructions } from "./ignore-instructions.ts";
import { precedence } from "./precedence.ts";
import { preference } from "./preference.ts";
import { pretext } from "./pretext.ts";
import { redirection } from "./redirection.ts";
import { resultShaping } from "./result-shaping.ts";
import { roleMarker } from "./role-marker.ts";
import { secretPath } from "./secret-path.ts";

/** The rules that say what a text means. They judge what a text stands for as well: decoded, or put together of several. */
export const textRules: readonly Rule[] = [
  hiddenText,
  htmlComment,
  roleMarker,
  ignoreInstructions,
  concealment,
  foreignToolOrder,
  callSyntax,
  precedence,
  secretPath,
  contextHarvest,
  agentOrder,
  argumentTampering,
  aboveTheUser,
  resultShaping,
  preference,
  redirection,
  pretext,
];
