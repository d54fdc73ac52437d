import { expect, test } from "vitest";
import { listenAt } from "./listen-at.ts";

test("listenAt() reads an address with its port, and a port alone as the loopback's", () => {
  expect(listenAt("127.0.0.1:7420")).toEqual({ host: "127.0.0.1", port: 7420 });
  expect(listenAt("[::1]:0")).toEqual({ host: "::1", port: 0 });
  expect(listenAt("localhost:65535")).toEqual({ host: "localhost", port: 65_535 });
  expect(listenAt("7420")).toEqual({ host: "127.0.0.1", port: 7420 });
});

test("listenAt() refuses anything else", () => {
  for (const text of ["", ":7420", "127.0.0.1", "127.0.0.1:65536", "::1:7420", "[::1]", "a b:1", "http://a:1", "a:-1"])
    expect([text, listenAt(text)]).toEqual([text, undefined]);
});
