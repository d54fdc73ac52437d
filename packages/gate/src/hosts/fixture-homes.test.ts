import { posix, win32 } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { HostPlace, Surroundings } from "./host.ts";
import { hosts } from "./hosts.ts";
import { readHosts } from "./read-hosts.ts";
import { type FixtureHome, fixtureHome } from "./under-test/fixture-home.ts";

const homes: FixtureHome[] = [];
afterAll(() => {
  for (const { close } of homes) close();
});

/** A file as people have them: with a byte order mark, CRLF, comments and trailing commas where the format has them. */
function contentFor({ format, lists: [list] }: HostPlace): string {
  const [at = [], listed] = [list?.at, list?.shape === "listed"];
  const keys = at.map((key) => (key === "*" ? "/some/folder" : key));
  switch (format) {
    case "json":
    case "jsonc": {
      const open = keys.map((key) => `{ // a comment\r\n  ${JSON.stringify(key)}: `).join("");
      const entries = [
        `"fine": {"command": "node", "args": ["server.js", "--flag",], "env": {"A": "b"},}`,
        `"com.vendor/remote": {"url": "https://x.example/mcp"}`,
        `"__proto__": {"command": "proto"}`,
        `"off": {"command": "x", "disabled": true}`,
        `"bad": 3`,
      ].join(",\r\n    /* another */ ");
      return `\uFEFF${open}{\r\n    ${entries},\r\n  }${keys.map(() => ",\r\n}").join("")}\r\n`;
    }
    case "toml": {
      const table = keys.join(".");
      const named = [
        ["fine", 'command = "node"\r\nargs = ["server.js", "--flag"]\r\nenv = { A = "b" }'],
        ["com.vendor/remote", 'url = "https://x.example/mcp"'],
        ["__proto__", 'command = "proto"'],
        ["off", 'command = "x"\r\nenabled = false'],
        ["bad", "command = 3"],
      ];
      const each = named.map(([name, body]) =>
        listed ? `[[${table}]]\r\nname = "${name}"\r\n${body}` : `[${table}."${name}"] # a comment\r\n${body}`,
      );
      return `\uFEFF${each.join("\r\n\r\n")}\r\n`;
    }
    case "yaml": {
      const named = [
        ["fine", "command: node, args: [server.js, --flag], env: {A: b}"],
        ["com.vendor/remote", "url: https://x.example/mcp"],
        ["__proto__", "command: proto"],
        ["off", "command: x, enabled: false"],
        ["bad", "command: {}"],
      ];
      const each = named.map(([name, body]) =>
        listed ? `  - {name: "${name}", ${body}}` : `  "${name}": {${body}} # c`,
      );
      return `\uFEFF# a comment\r\n${keys.join(":\r\n  ")}:\r\n${each.join("\r\n")}\r\n`;
    }
    case "shell":
      return "mcp add evil --command touch /tmp/evil\n";
  }
}

/** A path that a place stands for: of a pattern, one that fits. */
function pathIn({ path, pattern }: HostPlace, { platform }: Surroundings): string {
  const names = (pattern ?? []).flatMap((part) => (part === "**" ? ["one", "two"] : [part.replace("*", "some")]));
  return (platform === "win32" ? win32 : posix).join(path, ...names);
}

describe.each(["linux", "darwin", "win32"] as const)("on %s", (platform) => {
  test.each(
    hosts.filter(({ id }) => id !== "visual-studio" || platform === "win32").map((host) => [host.id, host] as const),
  )("every file of %s is found and read", async (_id, host) => {
    const home = fixtureHome(platform);
    homes.push(home);
    const { surroundings, locate } = home;
    const separator = platform === "win32" ? "\\" : "/";
    const places = host.files(surroundings);
    expect(places.length).toBeGreaterThan(0);
    for (const one of places) {
      expect(one.path, one.path).toMatch(platform === "win32" ? /^[A-Z]:\\[^/]*$/ : /^\/[^\\]+$|^\/$/);
      home.write(pathIn(one, surroundings), contentFor(one));
    }
    const { entries, problems, searched } = await readHosts(surroundings, { hosts: [host], locate });
    for (const one of places) {
      const path = pathIn(one, surroundings);
      // A folder above the home folder belongs to nobody's project, but is looked at all the same.
      const found = searched.find(({ file }) => file.path === path);
      expect(found?.there.is, path).toBe("file");
      const here = entries.filter(({ file }) => file.path === path);
      if (one.format === "shell") {
        expect(problems.filter((problem) => problem.path === path).map(({ code }) => code)).toEqual(["SHELL"]);
        expect(here).toEqual([]);
        continue;
      }
      expect(
        here.map(({ name, reach, enabled }) => [name, reach.is, enabled]),
        path,
      ).toEqual(
        [
          ["fine", "stdio", true],
          ["com.vendor/remote", "remote", true],
          ["__proto__", "stdio", true],
          ["off", "stdio", false],
          ["bad", "opaque", true],
        ].filter(([name]) => one.lists[0]?.at.length !== 0 || name !== "bad"),
      );
      expect(here[0]?.reach).toEqual({
        ...{ is: "stdio", command: "node", args: ["server.js", "--flag"], env: new Map([["A", "b"]]) },
      });
      const lines = new Set(here.map(({ line }) => line));
      expect(lines.size, path).toBe(here.length);
    }
    expect(problems.filter(({ code }) => code !== "SHELL")).toEqual([]);
    expect(searched.every(({ file }) => file.path.includes(separator))).toBe(true);
  });
});
