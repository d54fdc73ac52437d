import { expect, test } from "vitest";
import { addressRange } from "./address-range.ts";

test.each([
  ["127.0.0.1", "loopback"],
  ["127.9.9.9", "loopback"],
  ["::1", "loopback"],
  ["::ffff:127.0.0.1", "loopback"],
  ["::ffff:7f00:1", "loopback"],
  ["10.1.2.3", "private"],
  ["172.31.255.255", "private"],
  ["192.168.0.1", "private"],
  ["100.64.0.1", "private"],
  ["198.18.0.7", "private"],
  ["fd12:3456::1", "private"],
  ["::ffff:10.0.0.1", "private"],
  ["64:ff9b::a00:1", "private"],
  ["64:ff9b::7f00:1", "loopback"],
  ["169.254.169.254", "never"],
  ["::ffff:169.254.169.254", "never"],
  ["64:ff9b::a9fe:a9fe", "never"],
  ["0.0.0.0", "never"],
  ["::", "never"],
  ["224.0.0.1", "never"],
  ["255.255.255.255", "never"],
  ["fe80::1", "never"],
  ["ff02::1", "never"],
  ["2002:7f00:1::", "never"],
  ["2001:0:4136:e378::", "never"],
  ["172.32.0.1", "public"],
  ["8.8.8.8", "public"],
  ["2606:4700::1111", "public"],
  ["mcp.example.com", "never"],
  ["", "never"],
  ["0x7f.1", "never"],
])("an address %s is %s", (address, range) => {
  expect(addressRange(address)).toBe(range);
});
