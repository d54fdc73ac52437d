import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { HttpReach, StdioReach } from "./gateway-settings.ts";
import { commandOf, remoteOf } from "./usable-reach.ts";

/** How a config writes a variable. */
function v(name: string): string {
  return `$\u007b${name}}`;
}

const home = process.cwd();

function here(env: Readonly<Record<string, string>>) {
  return { platform: "linux", home, cwd: home, env: new Map(Object.entries(env)) } as const;
}

const stdio: StdioReach = { is: "stdio", command: "server", args: [], env: new Map(), share: "principal" };
const http: HttpReach = {
  is: "http",
  url: "https://api.example/mcp",
  headers: new Map(),
  transport: "auto",
  ...{ passToken: false, shareSignIn: false },
};

describe("commandOf()", () => {
  test("gives a server its own variables and few of the gateway's [operate.variables]", () => {
    const reach = {
      ...stdio,
      args: [`--key=${v("KEY")}`, "$KEY", v("MISSING:-rest")],
      env: new Map([["TOKEN", `<${v("KEY")}>`]]),
    };
    const usable = commandOf(reach, here({ KEY: v("OTHER"), OTHER: "secret", PATH: "/bin" }));
    expect(usable).toEqual({
      is: "usable",
      value: {
        ...{ command: "server", args: [`--key=${v("OTHER")}`, "$KEY", "rest"], cwd: home },
        env: { PATH: "/bin", TOKEN: `<${v("OTHER")}>` },
      },
    });
  });

  test("names every variable that is missing, and no value [operate.variables]", () => {
    const reach = {
      ...stdio,
      command: v("A"),
      args: ["x", v("B")],
      env: new Map([["T", `${v("C")}${v("SET")}`]]),
      cwd: v("D"),
    };
    expect(commandOf(reach, here({ SET: "a value" }))).toEqual({
      is: "impossible",
      problems: [
        { at: "command", code: "NO_VARIABLE", variable: v("A") },
        { at: "args.1", code: "NO_VARIABLE", variable: v("B") },
        { at: "env.T", code: "NO_VARIABLE", variable: v("C") },
        { at: "cwd", code: "NO_VARIABLE", variable: v("D") },
      ],
    });
  });

  test("starts nothing in a folder, or by a name, that a variable made another [operate.variables]", () => {
    expect(commandOf({ ...stdio, cwd: v("D") }, here({ D: "relative" }))).toMatchObject({
      problems: [{ at: "cwd", code: "NOT_ABSOLUTE" }],
    });
    expect(commandOf({ ...stdio, command: v("C:-") }, here({}))).toMatchObject({
      problems: [{ at: "command", code: "NO_COMMAND" }],
    });
    expect(commandOf({ ...stdio, args: [v("C")] }, here({ C: "a\0b" }))).toMatchObject({
      problems: [{ at: "args.0", code: "NUL" }],
    });
  });
});

describe("remoteOf()", () => {
  test("puts values into headers and the URL [operate.variables]", () => {
    const reach = {
      ...http,
      url: `${http.url}/${v("ORG")}?key=${v("KEY")}`,
      headers: new Map([["authorization", `Bearer ${v("KEY")}`]]),
    };
    const usable = remoteOf(reach, here({ ORG: "a/../b", KEY: "k&x=1#" }));
    if (usable.is !== "usable") throw new Error("it can be reached");
    expect(usable.value.url.href).toBe("https://api.example/mcp/a%2F..%2Fb?key=k%26x%3D1%23");
    expect([...usable.value.headers]).toEqual([["authorization", "Bearer k&x=1#"]]);
  });

  test("lets no value decide where the credentials go [operate.variables]", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (value) => {
        const usable = remoteOf({ ...http, url: `${http.url}/${v("X")}?y=${v("X")}` }, here({ X: value }));
        if (usable.is === "usable") expect(usable.value.url.origin).toBe("https://api.example");
      }),
    );
  });

  test("lets no value end a header's line [operate.variables]", () => {
    const reach = { ...http, headers: new Map([["x-key", v("KEY")]]) };
    for (const KEY of ["a\r\nHost: evil", "a\nb", "é", "\u0000"]) {
      expect(remoteOf(reach, here({ KEY })).is).toBe("impossible");
    }
  });
});
