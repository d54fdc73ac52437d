import { asServerName } from "@countersign/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Entry } from "./entry.ts";
import type { HostId } from "./host-id.ts";
import { serverNameOf } from "./server-name-of.ts";
import { serverNames } from "./server-names.ts";

function entry(host: HostId, name: string, command: string, args: readonly string[] = []): Entry {
  return {
    ...{ host, name, at: ["mcpServers", name], line: 1, enabled: true, oddities: [] },
    file: { path: `/${host}`, scope: "user", format: "json", lists: [] },
    reach: { is: "stdio", command, args, env: new Map() },
  };
}

describe("serverNameOf()", () => {
  test("leaves a name that can be one as it is", () => {
    for (const name of ["github", "a", "com.vendor.x", "A_b-c.1"]) expect(serverNameOf(name)).toBe(name);
  });

  test("makes a name of any other", () => {
    expect(serverNameOf("com.vendor/x")).toBe("com.vendor-x-x11995a817ed27003");
    expect(serverNameOf("__proto__")).toBe("proto__-x30e2af384186b57f");
    expect(serverNameOf("")).toBe("server-xe3b0c44298fc1c14");
    expect(serverNameOf("東京")).toMatch(/^server-x[0-9a-f]{16}$/);
  });

  test("is a name of a server, and another one for every other name", () => {
    const name = fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.constantFrom("a/b", "a b", "a-b", "A/b"));
    fc.assert(
      fc.property(name, name, (one, other) => {
        expect(asServerName(serverNameOf(one))).toBe(serverNameOf(one));
        expect(serverNameOf(one) === serverNameOf(other)).toBe(one === other);
        // Nobody can choose the name that was made for another.
        expect(serverNameOf(serverNameOf(one)) === serverNameOf(one)).toBe(
          asServerName(one) !== undefined && !/-x[0-9a-f]{16}$/.test(one),
        );
      }),
    );
  });
});

describe("serverNames()", () => {
  const named = (...entries: readonly Entry[]) => [...serverNames(entries).values()];

  test("one server in several hosts has one name, and two servers of one name have two", () => {
    expect(
      named(entry("vscode", "github", "a"), entry("cursor", "github", "a"), entry("codex", "github", "b")),
    ).toEqual(["github", "github", "github.codex"]);
  });

  test("a guarded entry keeps the name that it has, and shares it with the same server elsewhere", () => {
    const guarded = entry("cursor", "GitHub", "countersign", ["run", "github", "--", "a"]);
    const names = serverNames([entry("vscode", "github", "b"), guarded, entry("codex", "github", "a")]);
    expect(names.get(guarded)).toBe("github");
    expect([...names].map(([{ host }, name]) => [host, name])).toEqual([
      ["cursor", "github"],
      ["vscode", "github.vscode"],
      ["codex", "github"],
    ]);
  });

  test("no two servers have the same name, whatever they are called", () => {
    const any = fc.record({
      host: fc.constantFrom<HostId>("vscode", "cursor", "codex"),
      name: fc.constantFrom("a", "a.vscode", "a.cursor", "a/b", "__proto__"),
      command: fc.constantFrom("x", "y", "z"),
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 12 }), (all) => {
        const names = serverNames(all.map(({ host, name, command }) => entry(host, name, command)));
        const commands = new Map<string, string>();
        for (const [{ reach }, name] of names) {
          const command = reach.is === "stdio" ? reach.command : "";
          expect(commands.get(name) ?? command).toBe(command);
          commands.set(name, command);
        }
        expect(names.size).toBe(all.length);
      }),
    );
  });
});
