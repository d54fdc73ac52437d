import type { Rule } from "../rule.ts";
import { aboveTheUser } from "./above-the-user.ts";
import { agentOrder } from "./agent-order.ts";
import { argumentTampering } from "./argument-tampering.ts";
import { bidiControl } from "./bidi-control.ts";
import { callSyntax } from "./call-syntax.ts";
import { collidingNames } from "./colliding-names.ts";
import { concealment } from "./concealment.ts";
import { contextHarvest } from "./context-harvest.ts";
import { encodedText } from "./encoded-text.ts";
import { foreignToolOrder } from "./foreign-tool-order.ts";
import { hiddenText } from "./hidden-text.ts";
import { htmlComment } from "./html-comment.ts";
import { ignoreInstructions } from "./ignore-instructions.ts";
import { lookAlikeName } from "./look-alike-name.ts";
import { notAllRead } from "./not-all-read.ts";
import { openObject } from "./open-object.ts";
import { precedence } from "./precedence.ts";
import { preference } from "./preference.ts";
import { pretext } from "./pretext.ts";
import { readsAsOrder } from "./reads-as-order.ts";
import { redirection } from "./redirection.ts";
import { remoteRef } from "./remote-ref.ts";
import { removedProhibition } from "./removed-prohibition.ts";
import { rename } from "./rename.ts";
import { resultShaping } from "./result-shaping.ts";
import { roleMarker } from "./role-marker.ts";
import { runawayPattern } from "./runaway-pattern.ts";
import { schemaDepth } from "./schema-depth.ts";
import { schemaIdCollision } from "./schema-id-collision.ts";
import { schemaRootType } from "./schema-root-type.ts";
import { secretPath } from "./secret-path.ts";
import { sharedName } from "./shared-name.ts";
import { splitPayload } from "./split-payload.ts";
import { undeclaredArgument } from "./undeclared-argument.ts";
import { unknownDialect } from "./unknown-dialect.ts";
import { unsupportedSchema } from "./unsupported-schema.ts";

export const descriptionRules: readonly Rule[] = [
  hiddenText,
  bidiControl,
  htmlComment,
  roleMarker,
  ignoreInstructions,
  concealment,
  foreignToolOrder,
  callSyntax,
  precedence,
  secretPath,
  encodedText,
  contextHarvest,
  agentOrder,
  argumentTampering,
  aboveTheUser,
  resultShaping,
  preference,
  redirection,
  pretext,
  undeclaredArgument,
  removedProhibition,
  splitPayload,
  readsAsOrder,
  notAllRead,
];

export const schemaRules: readonly Rule[] = [
  schemaRootType,
  remoteRef,
  unknownDialect,
  unsupportedSchema,
  schemaIdCollision,
  openObject,
  schemaDepth,
  runawayPattern,
];

export const identityRules: readonly Rule[] = [lookAlikeName, sharedName, collidingNames, rename];
