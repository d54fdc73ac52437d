import { describe, expect, test } from "vitest";
import { remoteLaunchOf } from "./remote-launch-of.ts";

const ref = (name: string) => `\${${name}}`;

function launch(url: string, headers: Record<string, string> = {}) {
  return JSON.parse(remoteLaunchOf({ url, headers: new Map(Object.entries(headers)), transport: "auto" }));
}

describe("[http.launch] remoteLaunchOf()", () => {
  test.each([
    ["https://mcp.example.com", "https://mcp.example.com/"],
    ["HTTPS://MCP.Example.com:443/a/B?tools=read,write&v=2", "https://mcp.example.com/a/B?tools=read,write&v=2"],
    ["https://a.test/mcp?api_key=abc", `https://a.test/mcp?api_key=${ref("SECRET")}`],
    ["https://a.test/mcp?k=ghp_0123456789abcdefghij", `https://a.test/mcp?k=${ref("SECRET")}`],
    ["https://a.test/s/MzJhNTk0ZTItYWJjZC00/mcp", `https://a.test/s/${ref("SECRET")}/mcp`],
    [`https://a.test/${ref("TENANT")}/mcp?key=${ref("KEY")}`, `https://a.test/${ref("TENANT")}/mcp?key=${ref("KEY")}`],
  ])("%s is pinned as %s", (url, pinned) => {
    expect(launch(url).url).toBe(pinned);
  });

  test("pins the names of headers, in order, and their values only where they look like no secret", () => {
    const { headers } = launch("https://a.test/", {
      "X-Region": "eu",
      Authorization: "Bearer abc",
      "x-api-key": ref("KEY"),
      "x-other": `Bearer ${ref("KEY")}`,
      "X-Trace": "0f8fad5b-d9cb-469f-a165-70867728950e",
    });
    expect(Object.entries(headers)).toEqual([
      ["authorization", ref("SECRET")],
      ["x-api-key", ref("KEY")],
      ["x-other", ref("SECRET")],
      ["x-region", "eu"],
      ["x-trace", ref("SECRET")],
    ]);
  });

  test("differs by the host, the port, the path, the query and the transport", () => {
    const base = "https://a.test/mcp?v=1";
    const others = [
      "https://b.test/mcp?v=1",
      "https://a.test:8443/mcp?v=1",
      "https://a.test/mcp2?v=1",
      "https://a.test/mcp?v=2",
      "http://a.test/mcp?v=1",
    ];
    for (const other of others) expect(launch(other)).not.toEqual(launch(base));
    expect(remoteLaunchOf({ url: base, headers: new Map(), transport: "sse" })).not.toBe(
      remoteLaunchOf({ url: base, headers: new Map(), transport: "auto" }),
    );
  });
});
