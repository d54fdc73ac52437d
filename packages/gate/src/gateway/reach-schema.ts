import { isAbsolute } from "node:path";
import { z } from "zod";
import { signInSchema } from "../sign-in/sign-in-schema.ts";
import { headerProblem } from "./header-problem.ts";
import { urlProblem } from "./url-problem.ts";

const oneWord = z.string().refine((text) => !text.includes("\0"), "holds a NUL, at which the system would end it");

/** How a server behind the gateway is reached: the members of a server's part of the config that say so. */
export const reachShape = {
  command: oneWord.min(1).optional().describe("The program that the gateway starts for this server"),
  args: z.array(oneWord).optional().describe("Its arguments, one word each"),
  env: z
    .record(z.string().regex(/^[^=\0]+$/, "no name of a variable"), oneWord)
    .optional()
    .describe("Variables that it gets, beside PATH, HOME and a few more"),
  cwd: oneWord
    .refine((path) => isAbsolute(path) || path.startsWith("$" + "{"), "not an absolute path")
    .optional()
    .describe("The folder that it starts in (default: the home folder)"),
  share: z
    .enum(["session", "principal", "everyone"])
    .optional()
    .describe("Whom one process of it serves (default principal: all sessions of one caller)"),
  url: z
    .string()
    .superRefine((text, context) => {
      const problem = urlProblem(text);
      if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
    })
    .optional()
    .describe("Where the gateway reaches this server: https, or http on this machine"),
  headers: z
    .record(z.string(), z.string())
    .superRefine((headers, context) => {
      const seen = new Set<string>();
      for (const [name, value] of Object.entries(headers)) {
        const twice = seen.has(name.toLowerCase()) ? "stands here twice" : undefined;
        seen.add(name.toLowerCase());
        const problem = twice ?? headerProblem(name, value);
        if (problem !== undefined) context.addIssue({ code: "custom", path: [name], message: problem });
      }
    })
    .optional()
    .describe("Headers of every request to it; variables in them are put in when it is reached: docs/gateway.md"),
  transport: z
    .enum(["auto", "http", "sse"])
    .optional()
    .describe("Streamable HTTP (http), the older HTTP with SSE (sse), or what the server understands (default auto)"),
  passToken: z
    .boolean()
    .optional()
    .describe("Pass the token of whoever calls on to this server: only where it was issued for it (default false)"),
  signIn: signInSchema.optional(),
  shareSignIn: z
    .boolean()
    .optional()
    .describe(
      "Reach this server for every caller of the gateway as whoever ran countersign sign-in for it here (default false)",
    ),
} as const;

const reach = z.object(reachShape);

type ReachConfig = z.infer<typeof reach>;

export interface MemberProblem {
  readonly at: keyof ReachConfig;
  readonly message: string;
}

/** What does not go together. Asked also where a member by itself is wrong, so that all is said at once. */
export function reachProblems(given: ReachConfig): readonly MemberProblem[] {
  const problems: MemberProblem[] = [];
  const has = (member: keyof ReachConfig) => given[member] !== undefined;
  if (has("command") && has("url")) problems.push({ at: "url", message: "a server has a command or a url, not both" });
  for (const at of ["args", "env", "cwd", "share"] as const)
    if (has(at) && !has("command")) problems.push({ at, message: "says nothing without a command" });
  for (const at of ["headers", "transport", "passToken", "shareSignIn"] as const)
    if (has(at) && !has("url")) problems.push({ at, message: "says nothing without a url" });
  const authorized = Object.keys(given.headers ?? {}).some((name) => name.toLowerCase() === "authorization");
  if (given.passToken === true && authorized)
    problems.push({ at: "passToken", message: "the headers hold an Authorization already, and there is one only" });
  if (given.passToken === true && given.shareSignIn === true)
    problems.push({ at: "shareSignIn", message: "a server is given the caller's token or yours, not both" });
  return problems;
}

export const reachMembers = Object.keys(reachShape) as readonly (keyof ReachConfig)[];
