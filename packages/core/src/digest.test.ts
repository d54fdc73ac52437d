import { expect, test } from "vitest";
import { asDigest, digestOfCanonical } from "./digest.ts";

const hex = "e84843894772e02b58c9f1acad21e41b85f79b079a66e6b87b5e1b0364022676";

test("digestOfCanonical() is SHA-256 over the format, the domain, a line feed and the canonical form", () => {
  // printf 'cs1:tool\n{"inputSchema":{},"name":"a"}' | sha256sum
  expect(digestOfCanonical("tool", '{"inputSchema":{},"name":"a"}')).toBe(`cs1:sha256:${hex}`);
});

test("digestOfCanonical() gives one text a digest for each domain", () => {
  const domains = ["tool", "sampled-tool", "prompt", "offer", "policy", "ruleset", "event"] as const;
  expect(new Set(domains.map((domain) => digestOfCanonical(domain, "{}"))).size).toBe(7);
});

test("asDigest() takes a whole digest and nothing else", () => {
  expect(asDigest(`cs1:sha256:${hex}`)).toBe(`cs1:sha256:${hex}`);
  for (const text of [
    "",
    hex,
    `sha256:${hex}`,
    `cs1:sha256:${hex.toUpperCase()}`,
    `cs1:sha256:${hex.slice(1)}`,
    `cs1:sha256:${hex}0`,
    `cs1:sha256:${hex}\n`,
    ` cs1:sha256:${hex}`,
    `cs2:sha256:${hex}`,
  ]) {
    expect(asDigest(text)).toBeUndefined();
  }
});
