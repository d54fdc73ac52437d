import { type ServerName, visible } from "@countersign/core";
import type { LookFailure } from "../look-failure.ts";
import { sayUnreached } from "./say-remote-failure.ts";
import type { View } from "./view.ts";

/** What was looked at. */
export type LookedAt =
  | { readonly is: "stdio"; readonly command: string }
  | { readonly is: "http"; readonly server: ServerName };

/** @param lastWords the last line of the server's stderr, made visible */
export function sayLookFailure(failure: LookFailure, what: LookedAt, lastWords: string, view: View): string {
  return what.is === "http"
    ? sayRemoteLookFailure(failure, what.server)
    : sayStdioLookFailure(failure, what.command, lastWords, view);
}

function sayRemoteLookFailure(failure: LookFailure, server: ServerName): string {
  switch (failure.code) {
    case "NEEDS_SIGN_IN":
      return `NEEDS_SIGN_IN: the server asks who you are; run "countersign sign-in ${server}"`;
    case "NOT_REACHED":
      return sayUnreached(failure.detail);
    case "NOT_STARTED":
    case "EXITED":
    case "KILLED":
    case "NO_ANSWER":
      return "the server did not answer in time";
    case "NO_HANDSHAKE":
      return "the server answered neither initialize nor server/discover; check that the URL is that of an MCP endpoint";
  }
}

function sayStdioLookFailure(failure: LookFailure, command: string, lastWords: string, view: View): string {
  const said = saidLast(lastWords, view);
  switch (failure.code) {
    case "NEEDS_SIGN_IN":
      return `the server says that somebody has to sign in first; start it once by hand to do so; ${said}`;
    case "NOT_STARTED":
      return `the command "${visible(command)}" could not be started (${failure.detail}); check it and your PATH`;
    case "EXITED":
      return `the server exited with code ${failure.detail} before it had answered; ${said}`;
    case "KILLED":
      return `the server was ended by ${failure.detail} before it had answered; ${said}`;
    case "NOT_REACHED":
      return sayUnreached(failure.detail);
    case "NO_ANSWER":
      return `the server did not answer in time; ${said}`;
    case "NO_HANDSHAKE":
      return `the server answered neither initialize nor server/discover; ${said}`;
  }
}

/** The server wrote it, like all the rest. */
export function saidLast(lastWords: string, { text }: View): string {
  if (lastWords === "") return "it wrote nothing to stderr";
  return text ? `its last line on stderr: ${lastWords.slice(0, 300)}` : "--text shows its last line on stderr";
}
