import { z } from "zod";

/** What the config says of signing in to one server. No project may say it. */
export const signInSchema = z
  .strictObject({
    clientId: z.string().min(1).optional().describe("A client that you registered with the issuer yourself"),
    clientSecret: z.string().min(1).optional().describe("Its secret, as a variable: it is put in when it is used"),
    clientMetadataUrl: z
      .string()
      .refine(isHttpsDocument, "no https URL of a document")
      .optional()
      .describe("Where you publish a client-id metadata document: docs/sign-in.md"),
    scope: z.string().min(1).optional().describe("What to ask for, instead of what the server says that it needs"),
    port: z
      .int()
      .min(1)
      .max(65_535)
      .optional()
      .describe("The port of the redirect to this machine (default: any), for a client that is registered with one"),
    audience: z
      .string()
      .min(1)
      .optional()
      .describe("What the issuer calls the server in its tokens, where that is a URL of somebody else"),
  })
  .check(
    z.superRefine(
      (given, context) => {
        if (typeof given !== "object" || given === null) return;
        if (given.clientSecret !== undefined && given.clientId === undefined)
          context.addIssue({ code: "custom", path: ["clientSecret"], message: "says nothing without a clientId" });
        if (given.clientMetadataUrl !== undefined && given.clientId !== undefined)
          context.addIssue({ code: "custom", path: ["clientMetadataUrl"], message: "there is a clientId already" });
      },
      { when: () => true },
    ),
  )
  .describe("How to sign in to this server, where it does not suffice that it says so itself: docs/sign-in.md");

/** As a client-id metadata document needs one: https, and more than a host. */
function isHttpsDocument(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null &&
    url.protocol === "https:" &&
    url.pathname !== "/" &&
    url.hash === "" &&
    url.username === "" &&
    url.password === ""
  );
}
