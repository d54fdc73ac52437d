import type { Rule } from "../rule.ts";
import { bidiControl } from "./bidi-control.ts";
import { collidingNames } from "./colliding-names.ts";
import { encodedText } from "./encoded-text.ts";
import { lookAlikeName } from "./look-alike-name.ts";
import { notAllRead } from "./not-all-read.ts";
import { openObject } from "./open-object.ts";
import { readsAsOrder } from "./reads-as-order.ts";
import { remoteRef } from "./remote-ref.ts";
import { removedProhibition } from "./removed-prohibition.ts";
import { rename } from "./rename.ts";
import { runawayPattern } from "./runaway-pattern.ts";
import { schemaDepth } from "./schema-depth.ts";
import { schemaIdCollision } from "./schema-id-collision.ts";
import { schemaRootType } from "./schema-root-type.ts";
import { sharedName } from "./shared-name.ts";
import { splitPayload } from "./split-payload.ts";
import { textRules } from "./text-rules.ts";
import { undeclaredArgument } from "./undeclared-argument.ts";
import { unknownDialect } from "./unknown-dialect.ts";
import { unsupportedSchema } from "./unsupported-schema.ts";

export const descriptionRules: readonly Rule[] = [
  ...textRules,
  bidiControl,
  encodedText,
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
