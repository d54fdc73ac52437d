import { expect, test } from "vitest";
import { urlProblem } from "./url-problem.ts";

/** How a config writes a variable. */
function v(name: string): string {
  return `$\u007b${name}}`;
}

test("urlProblem() takes https, and http on this machine", () => {
  for (const url of [
    "https://api.example/mcp",
    `https://api.example:8443/mcp?key=${v("KEY")}`,
    "http://127.0.0.1:3000/mcp",
    "http://localhost/mcp",
    "http://[::1]:1/",
  ]) {
    expect([url, urlProblem(url)]).toEqual([url, undefined]);
  }
});

test("urlProblem() refuses what could send a credential elsewhere", () => {
  for (const url of [
    "http://api.example/mcp",
    "http://127.0.0.1.evil.example/",
    "http://localhost.evil.example/",
    "https://user:secret@api.example/",
    `https://${v("HOST")}/mcp`,
    `https://api.${v("DOMAIN")}/mcp`,
    "https://api.example\\@evil.example/",
    "https://api.example/#x",
    "https://api.example/a b",
    "https://",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "api.example/mcp",
    "",
  ]) {
    expect([url, typeof urlProblem(url)]).toEqual([url, "string"]);
  }
});
