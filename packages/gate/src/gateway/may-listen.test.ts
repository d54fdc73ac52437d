import { describe, expect, test } from "vitest";
import { refusedListening } from "./may-listen.ts";

const plan = { host: "127.0.0.1", port: 7420, hosts: [], behindTlsProxy: false, onLoopback: true, anonymous: false };
const beyond = { ...plan, host: "10.0.0.5", onLoopback: false };
const tls = { cert: "/c", key: "/k" };

describe("refusedListening()", () => {
  test("[access.tls] lets it listen on this machine as it is, beyond with TLS or behind what ends it", () => {
    expect(refusedListening(plan)).toBeUndefined();
    expect(refusedListening({ ...plan, anonymous: true })).toBeUndefined();
    expect(refusedListening({ ...beyond, tls })).toBeUndefined();
    expect(refusedListening({ ...beyond, behindTlsProxy: true })).toBeUndefined();
    expect(refusedListening({ ...beyond, tls, host: "0.0.0.0", hosts: ["mcp.example.com"] })).toBeUndefined();
  });

  test.each([
    ["without TLS", beyond, "without TLS"],
    ["without a credential", { ...beyond, tls, anonymous: true }, "without credentials"],
    [
      "without a credential behind a proxy",
      { ...beyond, behindTlsProxy: true, anonymous: true },
      "without credentials",
    ],
    ["at every address without a name", { ...beyond, tls, host: "0.0.0.0" }, "gateway.hosts"],
    ["at every address of either version", { ...beyond, tls, host: "::" }, "gateway.hosts"],
    ["under a name that no request can be told by", { ...beyond, tls, host: "build-7" }, "gateway.hosts"],
    ["with a certificate behind what ends TLS", { ...plan, tls, behindTlsProxy: true }, "behind a proxy"],
  ])("[access.tls] refuses to listen %s, and says what to do", (_, one, says) => {
    expect(refusedListening(one)?.message).toContain(says);
  });
});
