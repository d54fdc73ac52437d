import { expect, test } from "vitest";
import { isLoopback } from "./loopback.ts";

test.each(["127.0.0.1", "127.255.0.9", "::1", "[::1]", "localhost", "LocalHost", "::ffff:127.0.0.1"])(
  "isLoopback() takes %s for this machine",
  (host) => expect(isLoopback(host)).toBe(true),
);

test.each([
  ...["0.0.0.0", "::", "10.0.0.1", "128.0.0.1", "::2", "::ffff:10.0.0.1", "localhost.example.com", "localhost."],
  ...["127.1", "0x7f.0.0.1", "2130706433", "127.0.0.1.nip.io", "", "[127.0.0.1", "example.com"],
])("isLoopback() does not take %j for it", (host) => expect(isLoopback(host)).toBe(false));
