import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { browserArgument, checkedAuthorizationEndpoint } from "./authorization-url.ts";

const issuer = "https://login.example.com";

function because(endpoint: string, by = issuer): unknown {
  try {
    return checkedAuthorizationEndpoint(endpoint, by).href;
  } catch (error) {
    return (error as { failure?: { because?: unknown } }).failure?.because;
  }
}

describe("an authorization endpoint is not opened [sign-in.hostile-endpoint]", () => {
  test.each([
    ["javascript:alert(1)", "NOT_HTTPS"],
    ["JavaScript:alert(1)//https://login.example.com", "NOT_HTTPS"],
    ["java\nscript:alert(1)", "NOT_HTTPS"],
    ["data:text/html,<script>", "NOT_HTTPS"],
    ["file:///etc/passwd", "NOT_HTTPS"],
    ["vbscript:x", "NOT_HTTPS"],
    ["ms-msdt:/id", "NOT_HTTPS"],
    ["x-apple.systempreferences:x", "NOT_HTTPS"],
    ["smb://evil/share", "NOT_HTTPS"],
    ["http://login.example.com/authorize", "NOT_HTTPS"],
    ["http://127.0.0.1/authorize", "NOT_HTTPS"],
    ["--flag", "NOT_A_URL"],
    ["-psn_0_1", "NOT_A_URL"],
    ["/bin/sh", "NOT_A_URL"],
    ["$(id)", "NOT_A_URL"],
    ["", "NOT_A_URL"],
    ["https://", "NOT_A_URL"],
    ["\\\\evil\\share", "NOT_A_URL"],
    ["https://user:password@login.example.com/", "USER"],
    ["https://login.example.com@evil.example/", "USER"],
    ["https://login.example.com/#fragment", "FRAGMENT"],
    ["https://login.example.com/#", "FRAGMENT"],
    [`https://login.example.com/${"a".repeat(2_000)}`, "TOO_LONG"],
    ["https://login.example.com/$(id)", "CHARACTERS"],
    ["https://login.example.com/`id`;x", "CHARACTERS"],
    ["https://login.example.com/a'b", "CHARACTERS"],
    ["https://login.example.com/a|b", "CHARACTERS"],
    ["https://login.example.com/a&b", "CHARACTERS"],
    ["https://127.0.0.1/authorize", "PRIVATE_ADDRESS"],
    ["https://localhost/authorize", "PRIVATE_ADDRESS"],
    ["https://[::1]/authorize", "PRIVATE_ADDRESS"],
    ["https://192.168.1.1/authorize", "PRIVATE_ADDRESS"],
    ["https://0x7f000001/authorize", "PRIVATE_ADDRESS"],
  ])("%s: %s", (endpoint, reason) => {
    expect(because(endpoint)).toBe(reason);
  });

  test("plain http is for an issuer on this machine", () => {
    const here = "http://127.0.0.1:4000";
    expect(because("http://127.0.0.1:4000/authorize", here)).toBe("http://127.0.0.1:4000/authorize");
    expect(because("http://login.example.com/authorize", here)).toBe("NOT_HTTPS");
  });

  test("a plain one is spelled anew", () => {
    expect(because("HTTPS://Login.Example.com/a/../authorize?x=1")).toBe("https://login.example.com/authorize?x=1");
    expect(because("https://login.example.com/au thorize")).toBe("https://login.example.com/au%20thorize");
  });

  test("whatever a server writes, what is handed on is one plain https address", () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.string({ unit: "binary" })), (text) => {
        let url: URL;
        try {
          url = checkedAuthorizationEndpoint(text, issuer);
        } catch (error) {
          expect(error).toMatchObject({ failure: { is: "BAD_AUTHORIZATION_ENDPOINT" } });
          return;
        }
        // As the SDK adds to it.
        url.searchParams.set("state", "x");
        expect(browserArgument(url)).toMatch(/^https:\/\/[A-Za-z0-9._~%/@:+,=!*?&[\]-]+$/);
      }),
    );
  });
});
