import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { type Reachable, reachedBy } from "./host-and-origin.ts";

const local: Reachable = { hosts: [], origins: [], onLoopback: true };
const team: Reachable = {
  hosts: ["mcp.example.com", "other.example.com:8443", "[2001:db8::1]"],
  origins: ["https://chat.example.com"],
  onLoopback: false,
};

function request(headers: readonly (readonly [string, string])[], url = "/files/mcp"): IncomingMessage {
  const message = new IncomingMessage(new Socket());
  message.url = url;
  message.rawHeaders = headers.flat();
  for (const [name, value] of headers) message.headers[name.toLowerCase()] ??= value;
  return message;
}

function reached(reachable: Reachable, host: string | undefined, origin?: string) {
  return reachedBy(
    request([
      ...(host === undefined ? [] : [["Host", host] as const]),
      ...(origin === undefined ? [] : [["Origin", origin] as const]),
    ]),
    reachable,
  );
}

describe("reachedBy()", () => {
  test.each(["localhost", "localhost:7420", "127.0.0.1:1", "[::1]:7420", "LOCALHOST:80"])(
    "[access.host] takes a request to %s on this machine",
    (host) => expect(reached(local, host)).toEqual({ is: "ours", host: host.toLowerCase() }),
  );

  test.each([
    ...["evil.example.com", "localhost.evil.example.com", "127.0.0.1.evil.example.com", "10.0.0.1", ""],
    ...["localhost:7420@evil.example.com", "localhost/", "localhost:", "localhost:7420:1", "user@localhost", "::1"],
    ...["localhost, evil.example.com", "local host", "localhost:123456", "mcp.example.com"],
  ])("[access.host] refuses a request to %j on this machine", (host) => {
    expect(reached(local, host)).toEqual({ is: "foreign", what: "host" });
  });

  test("[access.host] refuses a request without a host, and one with two", () => {
    expect(reached(local, undefined)).toEqual({ is: "foreign", what: "host" });
    for (const other of ["localhost", "evil.example.com"]) {
      const two = request([
        ["Host", "localhost"],
        ["host", other],
      ]);
      expect(reachedBy(two, local)).toEqual({ is: "foreign", what: "host" });
    }
  });

  test("[access.host] beyond this machine only the names count that it was given, with the port where one was", () => {
    for (const host of ["mcp.example.com", "MCP.example.com:443", "other.example.com:8443", "[2001:db8::1]:1"]) {
      expect(reached(team, host).is, host).toBe("ours");
    }
    for (const host of ["localhost", "127.0.0.1", "other.example.com", "other.example.com:443", "example.com"]) {
      expect(reached(team, host).is, host).toBe("foreign");
    }
  });

  test.each(["http://evil.example.com/files/mcp", "*", "evil.example.com:443", ""])(
    "refuses the target %j, which is no path",
    (url) => {
      expect(reachedBy(request([["Host", "localhost"]], url), local)).toEqual({ is: "foreign", what: "target" });
    },
  );

  test("[access.origin] a page of this machine may ask; only a listed one may read", () => {
    expect(reached(local, "localhost:7420", "http://localhost:7420")).toEqual({ is: "ours", host: "localhost:7420" });
    expect(reached(local, "127.0.0.1:7420", "https://[::1]:3000")).toEqual({ is: "ours", host: "127.0.0.1:7420" });
    const listed = { ...local, origins: ["http://localhost:6274"] };
    expect(reached(listed, "localhost", "http://localhost:6274")).toMatchObject({ origin: "http://localhost:6274" });
  });

  test.each([
    ...["http://evil.example.com", "null", "", "http://localhost.evil.example.com", "file://", "http://localhost:1/x"],
    ...["chrome-extension://abc", "http://localhost@evil.example.com", "http://", "https://chat.example.com"],
  ])("[access.origin] refuses a page of %j", (origin) => {
    expect(reached(local, "localhost", origin)).toEqual({ is: "foreign", what: "origin" });
  });

  test("[access.origin] a page of this machine is none of a gateway for others, nor one that is reached by another name", () => {
    expect(reached(team, "mcp.example.com", "http://localhost:3000")).toEqual({ is: "foreign", what: "origin" });
    const behind = { ...team, onLoopback: true };
    expect(reached(behind, "mcp.example.com", "http://localhost:3000")).toEqual({ is: "foreign", what: "origin" });
    expect(reached(behind, "mcp.example.com", "https://CHAT.example.com")).toMatchObject({
      is: "ours",
      origin: "https://chat.example.com",
    });
  });

  test("[access.origin] two origins are none", () => {
    const two = request([
      ["Host", "mcp.example.com"],
      ["Origin", "https://chat.example.com"],
      ["Origin", "https://chat.example.com"],
    ]);
    expect(reachedBy(two, team)).toEqual({ is: "foreign", what: "origin" });
  });
});
