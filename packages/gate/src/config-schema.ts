import { descriptionRules, identityRules, schemaRules } from "@countersign/judge";
import { carriesDefinitions } from "@countersign/wire";
import { z } from "zod";
import { gatewaySchema } from "./gateway/gateway-schema.ts";
import { reachProblems, reachShape } from "./gateway/reach-schema.ts";
import { maxAgeIn } from "./max-age.ts";

const effect = z.enum(["refuse", "ask", "note", "off"]);
const ruleIds = [...descriptionRules, ...schemaRules, ...identityRules].map(({ id }) => id);
const severities = z
  .partialRecord(z.enum(ruleIds), effect)
  .describe("What a rule does instead of its own effect, by rule id: refuse, ask, note or off");
const checkpoints = z
  .strictObject({
    load: z.boolean().optional().describe("Look at every list before the handshake is answered (default true)"),
    change: z
      .boolean()
      .optional()
      .describe("Ask for a list again, though no host does, where it changed or is too old (default true)"),
    refetchOnCall: z.boolean().optional().describe("Ask for the list again before every call (default false)"),
    maxAge: z
      .union([z.number(), z.string()])
      .refine(
        (maxAge) => maxAgeIn(maxAge) !== undefined,
        'no whole number of seconds, nor a time as in "10m"; 24h at most',
      )
      .optional()
      .describe(
        'How old a list may be before a call asks for it again: seconds, or a time as in "10m" (default: any age)',
      ),
  })
  .describe(
    "When a server's definitions are looked at again; every list that a host asks for is, and every call is checked, always",
  );
const firstSight = z
  .enum(["quarantine", "approve-clean"])
  .describe("What happens to a server's very first offer: it waits (default), or what has no findings is approved");
const prose = z
  .enum(["as-sent", "frozen", "stripped"])
  .describe("What the model reads of the server's prose: what it sends, what it sent when it was approved, or nothing");
const close = z
  .boolean()
  .describe("Forbid arguments that the schema does not declare in the schema that the model is given (default false)");
const fence = z.boolean().describe("Mark the server's prose as untrusted text for the model (default false)");
const wellFormed = z.string().refine((text) => text.isWellFormed(), "holds half of a surrogate pair");
const set = z
  .record(z.string().regex(/^(?:$|\/)/, "not a JSON Pointer"), z.union([wellFormed, z.number(), z.boolean()]))
  .describe("Your own text instead of the server's, by JSON Pointer, as in /description");
const narrow = z
  .record(z.string(), z.unknown())
  .describe("A JSON Schema that the arguments of every call have to satisfy as well: docs/narrow.md");
const definitions = z
  .record(
    z
      .string()
      .regex(/^(?:tool|prompt|resource|template|instructions|server) /, 'not a kind and a name, as in "tool search"'),
    z.strictObject({
      prose: prose.optional(),
      set: set.optional(),
      close: close.optional(),
      narrow: narrow.optional(),
    }),
  )
  .describe('Settings of single definitions, by kind and name, as in "tool search"');
const only = z
  .array(z.string().regex(/^(?:tool|prompt|resource|template) /, 'not a kind and a name, as in "tool search"'))
  .describe("The only tools, prompts, resources and templates that may be used, whatever else is approved");
const undeclared = z
  .enum(["refuse", "pass"])
  .describe("What becomes of arguments that a schema neither declares nor allows by word (default refuse)");
const results = z
  .enum(["pass", "check"])
  .describe("Whether structured results are held against the output schema (default pass)");
const allow = z
  .array(
    z
      .string()
      .min(1)
      .refine((method) => !carriesDefinitions(method), "carries definitions, which are always judged"),
  )
  .describe(
    'Methods that pass though Countersign does not know them, in both directions and without a look at what they carry; and "sampling/createMessage", whose prompt and tools are judged',
  );
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
    prose: prose.optional(),
    fence: fence.optional(),
    servers: z
      .record(
        z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/),
        z
          .strictObject({
            trusted: z
              .boolean()
              .optional()
              .describe("Skip the description gate for this server; the other gates stay (default false)"),
            mode: mode.optional(),
            firstSight: firstSight.optional(),
            strict: strict.optional(),
            severities: severities.optional(),
            checkpoints: checkpoints.optional(),
            prose: prose.optional(),
            close: close.optional(),
            fence: fence.optional(),
            definitions: definitions.optional(),
            only: only.optional(),
            undeclared: undeclared.optional(),
            results: results.optional(),
            allow: allow.optional(),
            ...reachShape,
          })
          .check(
            z.superRefine(
              (server, context) => {
                // Also asked where a member is wrong by itself, and then the whole may be anything.
                if (typeof server !== "object" || server === null) return;
                for (const { at, message } of reachProblems(server))
                  context.addIssue({ code: "custom", path: [at], message });
              },
              { when: () => true },
            ),
          ),
      )
      .optional()
      .describe("Settings of single servers, by the name that you give them"),
    gateway: gatewaySchema.optional(),
  })
  .describe("Settings of Countersign");

export type Config = z.infer<typeof configSchema>;
