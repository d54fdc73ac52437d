import { isAbsolute } from "node:path";
import { z } from "zod";
import { type JwtSettings, tokenAlgorithms } from "./jwt-settings.ts";
import { isLoopback } from "./loopback.ts";

const jwks = z
  .string()
  .refine(
    (text) => isAbsolute(text) || isKeySetUrl(text),
    "neither an https URL (http on this machine only) nor an absolute path",
  )
  .describe("Where the issuer's keys are: a URL of https, or an absolute path of a file");

const audience = z.string().min(1).max(2_000);
const scope = z.string().regex(/^[\x21\x23-\x5B\x5D-\x7E]{1,200}$/, "no scope: RFC 6749 §3.3");

/** `gateway.jwt` of the config. */
export const jwtSchema = z
  .strictObject({
    jwks,
    issuer: z
      .string()
      .regex(
        /^[^\s\p{Cc}\p{Cs}]{1,700}$/u,
        "no issuer of tokens: a text without white space, of 700 characters at most",
      )
      .describe("The only issuer whose tokens are taken, as its tokens spell it"),
    audience: z
      .union([audience, z.array(audience).min(1)])
      .describe('For whom a token must be issued; any of several. "<server>" in it stands for the name of the server'),
    algorithms: z
      .array(z.enum(tokenAlgorithms))
      .min(1)
      .optional()
      .describe("How a token may be signed (default: by any of these)"),
    clockTolerance: z
      .int()
      .min(0)
      .max(300)
      .optional()
      .describe("Seconds by which the issuer's clock may differ from this one (default 30)"),
    servers: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe("The claim with the names of the servers that a token is for (default: it is for all)"),
    scopes: z.array(scope).optional().describe("Scopes that a token must have, all of them (default none)"),
  })
  .describe("Take tokens of an authorization server, beside keys of countersign key");

export function jwtSettingsOf(given: z.infer<typeof jwtSchema>): JwtSettings {
  const { jwks, issuer, audience, servers } = given;
  return {
    ...{ jwks, issuer, audience: typeof audience === "string" ? [audience] : audience },
    algorithms: given.algorithms ?? tokenAlgorithms,
    clockTolerance: given.clockTolerance ?? 30,
    ...(servers === undefined ? {} : { servers }),
    scopes: given.scopes ?? [],
  };
}

function isKeySetUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== "" || password !== "") return false;
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}
