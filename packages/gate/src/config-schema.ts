import { descriptionRules, identityRules, schemaRules } from "@countersign/judge";
import { z } from "zod";

const effect = z.enum(["refuse", "ask", "note", "off"]);
const ruleIds = [...descriptionRules, ...schemaRules, ...identityRules].map(({ id }) => id);
const severities = z
  .partialRecord(z.enum(ruleIds), effect)
  .describe("What a rule does instead of its own effect, by rule id: refuse, ask, note or off");
const checkpoints = z
  .strictObject({
    load: z.boolean().optional().describe("Look at every list before the handshake is answered (default true)"),
    refetchOnCall: z.boolean().optional().describe("Ask for the list again before every call (default false)"),
  })
  .describe("When a server's definitions are looked at again; every list is, always");
const firstSight = z
  .enum(["quarantine", "approve-clean"])
  .describe("What happens to a server's very first offer: it waits (default), or what has no findings is approved");
const mode = z
  .enum(["enforce", "observe"])
  .describe(
    "What becomes of what is not approved: it is withheld (default), or it passes and is only judged and recorded",
  );
const strict = z.boolean().describe("Take an approved definition away when a rule comes to refuse it (default false)");

/** `countersign.jsonc`. Every setting is optional; an unknown one is an error, so that a misspelt one is never silently lax. */
export const configSchema = z
  .strictObject({
    $schema: z.string().optional(),
    mode: mode.optional(),
    firstSight: firstSight.optional(),
    strict: strict.optional(),
    severities: severities.optional(),
    checkpoints: checkpoints.optional(),
    servers: z
      .record(
        z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/),
        z.strictObject({
          trusted: z
            .boolean()
            .optional()
            .describe("Skip the description gate for this server; the other gates stay (default false)"),
          mode: mode.optional(),
          firstSight: firstSight.optional(),
          strict: strict.optional(),
          severities: severities.optional(),
          checkpoints: checkpoints.optional(),
        }),
      )
      .optional()
      .describe("Settings of single servers, by the name that you give them"),
  })
  .describe("Settings of Countersign");

export type Config = z.infer<typeof configSchema>;
