import { isAbsolute } from "node:path";
import { z } from "zod";
import { jwtSchema } from "../access/jwt-schema.ts";
import { limitsSchema } from "./limits-schema.ts";
import { listenAt } from "./listen-at.ts";

const host = z
  .string()
  .regex(
    /^(?:\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9])?)(?::[0-9]{1,5})?$/,
    "no name of a host, as in mcp.example.com or mcp.example.com:8443",
  );

const origin = z.string().refine((text) => {
  if (!URL.canParse(text)) return false;
  const { protocol, origin } = new URL(text);
  return (protocol === "https:" || protocol === "http:") && origin === text.toLowerCase();
}, "no origin of a web page, as in https://chat.example.com");

const file = z.string().refine(isAbsolute, "not an absolute path");

/** What the config says of the gateway as such. */
export const gatewaySchema = z
  .strictObject({
    listen: z
      .string()
      .refine((text) => listenAt(text) !== undefined, 'not where to listen, as in "127.0.0.1:7420" or "[::1]:7420"')
      .optional()
      .describe("The address and the port that it listens at (default 127.0.0.1:7420)"),
    hosts: z
      .array(host)
      .optional()
      .describe("Names under which it is called, beside those of this machine; a request to another name is refused"),
    origins: z.array(origin).optional().describe("Web pages that may call it and read what it answers (default none)"),
    anonymous: z.boolean().optional().describe("Let in whoever calls without a credential (default false)"),
    jwt: jwtSchema.optional(),
    limits: limitsSchema.optional(),
    tls: z
      .strictObject({ cert: file, key: file })
      .optional()
      .describe("PEM files of a certificate with its chain, and of its key"),
    behindTlsProxy: z
      .boolean()
      .optional()
      .describe(
        "Something in front of it ends TLS, so that it may offer plain HTTP beyond this machine (default false)",
      ),
    log: z.enum(["json", "text"]).optional().describe("How a line of its log is written (default text)"),
  })
  .describe("Settings of countersign gateway; they count in your own config only");
