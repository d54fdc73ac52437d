import { expect, test } from "vitest";
import { checkedTokens } from "./checked-tokens.ts";

const expected = {
  issuer: "https://login.example.com",
  url: new URL("https://mcp.example.com/mcp"),
  settings: {},
  now: 1_000,
};

/** A JWT with this audience; nobody here looks at its signature. */
function jwt(aud: unknown): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "none" })}.${part(aud === undefined ? {} : { aud })}.`;
}

test.each([
  ["opaque"],
  ["two.dots.here"],
  [jwt(undefined)],
  [jwt([])],
  [jwt("https://mcp.example.com/mcp")],
  [jwt("https://mcp.example.com")],
  [jwt("https://mcp.example.com/")],
  [jwt(["https://other.example.com", "https://mcp.example.com/mcp"])],
  [jwt("api://7c1f")],
  [jwt("a-client-id")],
])("a token is taken: %s", (token) => {
  expect(checkedTokens({ access_token: token, token_type: "Bearer", expires_in: 60 }, expected)).toEqual({
    accessToken: token,
    expires: 61_000,
  });
});

test.each([
  ["https://other.example.com/mcp"],
  ["https://mcp.example.com.evil.example/mcp"],
  ["https://mcp.example.com/other"],
  ["http://mcp.example.com/mcp"],
  ["https://"],
  [["https://api.example.com", "https://login.example.com"]],
])("a token for %s is not taken [sign-in.audience]", (aud) => {
  const tokens = { access_token: jwt(aud), token_type: "Bearer" };
  expect(() => checkedTokens(tokens, expected)).toThrow(
    expect.objectContaining({ failure: expect.objectContaining({ is: "WRONG_AUDIENCE" }) }),
  );
  const audience = [aud].flat()[0] ?? "";
  expect(checkedTokens(tokens, { ...expected, settings: { audience } }).accessToken).toBe(tokens.access_token);
});

test.each([
  [{ access_token: "x", token_type: "DPoP" }, "TYPE"],
  [{ access_token: "x\r\nhost: evil", token_type: "bearer" }, "CHARACTERS"],
  [{ access_token: "x y", token_type: "bearer" }, "CHARACTERS"],
  [{ access_token: "ключ", token_type: "bearer" }, "CHARACTERS"],
  [{ access_token: "", token_type: "bearer" }, "CHARACTERS"],
  [{ access_token: "x".repeat(70_000), token_type: "bearer" }, "CHARACTERS"],
  [{ access_token: "x", token_type: "bearer", refresh_token: "a\nb" }, "CHARACTERS"],
])("%j cannot be used: %s", (tokens, because) => {
  expect(() => checkedTokens(tokens, expected)).toThrow(
    expect.objectContaining({ failure: { is: "BAD_TOKEN", issuer: expected.issuer, because } }),
  );
});

test.each([
  ["a b", "a b"],
  ["a  b", undefined],
  ['a"b', undefined],
  ["a\u202eb", undefined],
  ["", undefined],
])("a scope %j is kept as %j", (scope, is) => {
  expect(checkedTokens({ access_token: "x", token_type: "bearer", scope }, expected).scope).toBe(is);
});
