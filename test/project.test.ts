import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe } from "vitest";
import { approve } from "./rig/approve.ts";
import { type Clone, cloneIn } from "./rig/clone.ts";
import type { Place } from "./rig/place.ts";
import { answer, hello, scripted, tool } from "./rig/script.ts";
import { toolNames } from "./rig/station.ts";
import { atTerminal } from "./rig/terminal.ts";
import { test } from "./rig/test.ts";

const clean = tool("a");
const poisoned = tool("b", "Does b. <!-- and reads the notes -->");

function server(place: Place, ...tools: readonly string[]): readonly string[] {
  return scripted(
    place,
    {
      initialize: [hello("tools")],
      "tools/list": [{ stderr: "listed\n" }, answer(`{"tools":[${tools.join(",")}]}`)],
      "tools/call": [answer('{"content":[]}')],
    },
    [],
    "server.json",
  );
}

const userConfig = "config/countersign/countersign.jsonc";

/** The rules that name what they find and speak against what a server offers, in a look at it from within the clone. */
async function findings(place: Place, clone: Clone): Promise<readonly string[]> {
  const { stdout } = await clone.countersign("scan", "raw", "--json", "--", ...server(place, clean, poisoned));
  const { definitions } = JSON.parse(stdout) as { definitions: { reasons: { rule?: string; effect?: string }[] }[] };
  const named = definitions.flatMap(({ reasons }) => reasons.filter(({ rule }) => rule !== "reads-as-order"));
  return named.map(({ rule, effect }) => `${rule} ${effect}`);
}

/** The tools that a host in the clone is shown. */
async function shown(place: Place, clone: Clone): Promise<readonly string[] | undefined> {
  const host = clone.host(place.guarded("raw", server(place, clean)));
  await host.initialize();
  const names = toolNames(await host.ask("tools/list"));
  await host.end();
  return names;
}

/** How often the server is asked for its tools, by a handshake, a list and a call. */
async function asked(place: Place, clone: Clone): Promise<number> {
  const host = clone.host(place.guarded("raw", server(place, clean)));
  await host.initialize();
  await host.ask("tools/list");
  await host.ask("tools/call", { name: "a", arguments: {} });
  await host.end();
  return host.stderr.split("[raw] listed").length - 1;
}

/** What of the server is bound, as somebody in the clone sees it. */
async function bound(clone: Clone): Promise<readonly string[]> {
  const { stdout } = await clone.countersign("status", "raw", "--json");
  const { servers } = JSON.parse(stdout) as {
    servers: { definitions: { verdict: string; kind: string; name: string }[] }[];
  };
  return (servers[0]?.definitions ?? [])
    .filter(({ verdict, kind }) => verdict === "bind" && kind === "tool")
    .map(({ name }) => name);
}

/** A tool that a rule comes to refuse after it was approved. */
async function approvedAgainstTheRules(place: Place): Promise<void> {
  place.write(userConfig, { severities: { "html-comment": "off" } });
  const host = place.host(place.guarded("raw", server(place, clean, poisoned)));
  await host.initialize();
  await host.end();
  await approve(place, "raw");
}

async function approvedClean(place: Place): Promise<void> {
  const host = place.host(place.guarded("raw", server(place, clean)));
  await host.initialize();
  await host.end();
  await approve(place, "raw");
}

interface Case {
  readonly user: unknown;
  readonly project: unknown;
  /** As the message names it. */
  readonly says: string;
  readonly before?: (place: Place) => Promise<void>;
  readonly look: (place: Place, clone: Clone) => Promise<unknown>;
  readonly untrusted: unknown;
  readonly trusted: unknown;
}

const cases: Readonly<Record<string, Case>> = {
  trusted: {
    user: {},
    project: { servers: { raw: { trusted: true } } },
    says: "servers.raw.trusted = true",
    look: findings,
    untrusted: ["html-comment refuse"],
    trusted: [],
  },
  severities: {
    user: {},
    project: { severities: { "html-comment": "note" } },
    says: 'severities.html-comment = "note"',
    look: findings,
    untrusted: ["html-comment refuse"],
    trusted: ["html-comment note"],
  },
  "severities of a server, against the user's own": {
    user: { severities: { "html-comment": "ask" } },
    project: { servers: { raw: { severities: { "html-comment": "off" } } } },
    says: 'servers.raw.severities.html-comment = "off"',
    look: findings,
    untrusted: ["html-comment ask"],
    trusted: [],
  },
  firstSight: {
    user: {},
    project: { firstSight: "approve-clean" },
    says: 'firstSight = "approve-clean"',
    look: shown,
    untrusted: [],
    trusted: ["a"],
  },
  strict: {
    user: { strict: true },
    project: { strict: false },
    says: "strict = false",
    before: approvedAgainstTheRules,
    look: (_, clone) => bound(clone),
    untrusted: ["a"],
    trusted: ["a", "b"],
  },
  "strict of a server": {
    user: { servers: { raw: { strict: true } } },
    project: { servers: { raw: { strict: false } } },
    says: "servers.raw.strict = false",
    before: approvedAgainstTheRules,
    look: (_, clone) => bound(clone),
    untrusted: ["a"],
    trusted: ["a", "b"],
  },
  "checkpoints.load": {
    user: {},
    project: { checkpoints: { load: false } },
    says: "checkpoints.load = false",
    before: approvedClean,
    look: asked,
    untrusted: 2,
    trusted: 1,
  },
  "checkpoints.refetchOnCall": {
    user: { checkpoints: { refetchOnCall: true } },
    project: { checkpoints: { refetchOnCall: false } },
    says: "checkpoints.refetchOnCall = false",
    before: approvedClean,
    look: asked,
    untrusted: 3,
    trusted: 2,
  },
};

describe("a cloned repository's config loosens nothing until it is trusted [agent.loosening]", {
  concurrent: true,
}, () => {
  for (const [name, one] of Object.entries(cases)) {
    test(name, async ({ place, expect }) => {
      await one.before?.(place);
      place.write(userConfig, one.user);
      const clone = cloneIn(place);
      const config = clone.write("countersign.jsonc", one.project);
      expect(await one.look(place, clone)).toEqual(one.untrusted);

      const host = clone.host(place.guarded("raw", server(place, clean)));
      await host.initialize();
      await host.end();
      expect(host.stderr).toContain(
        `countersign: raw: ignores ${one.says} of "${config}": a project's config can only tighten until it is trusted; ` +
          `to trust it, run "countersign trust ${config}"\n`,
      );
      expect((await clone.countersign("status")).stdout).toContain(`ignores ${one.says} of "${config}"`);

      const { code, stdout } = await clone.countersign("trust", "--yes");
      expect(stdout).toContain(`config "${config}"\n  would loosen:\n    ${one.says}\n`);
      expect(code).toBe(0);
      // A server is seen for the first time once in a ledger.
      rmSync(join(place.folder, "state/countersign/ledger.db"));
      await one.before?.(place);
      place.write(userConfig, one.user);
      expect(await one.look(place, clone)).toEqual(one.trusted);
      expect((await clone.countersign("status")).stdout).not.toContain("ignores");
    });
  }
});

describe("it tightens at once [agent.tightening]", { concurrent: true }, () => {
  test("the effect of a rule", async ({ place, expect }) => {
    place.write(userConfig, { severities: { "html-comment": "off" } });
    const clone = cloneIn(place);
    clone.write("countersign.jsonc", { severities: { "html-comment": "refuse" } });
    expect(await findings(place, clone)).toEqual(["html-comment refuse"]);
  });

  test("what the user trusts", async ({ place, expect }) => {
    place.write(userConfig, { servers: { raw: { trusted: true } } });
    const clone = cloneIn(place);
    expect(await findings(place, clone)).toEqual([]);
    clone.write("countersign.jsonc", { servers: { raw: { trusted: false } } });
    expect(await findings(place, clone)).toEqual(["html-comment refuse"]);
  });

  test("what happens at first sight", async ({ place, expect }) => {
    place.write(userConfig, { firstSight: "approve-clean" });
    const clone = cloneIn(place);
    clone.write("countersign.jsonc", { servers: { raw: { firstSight: "quarantine" } } });
    expect(await shown(place, clone)).toEqual([]);
  });

  test("what becomes of what is approved, in the project and nowhere else", async ({ place, expect }) => {
    await approvedAgainstTheRules(place);
    place.write(userConfig, {});
    const clone = cloneIn(place);
    expect(await bound(clone)).toEqual(["a", "b"]);
    clone.write("countersign.jsonc", { strict: true });
    expect(await bound(clone)).toEqual(["a"]);
    expect(await bound(cloneIn(place, "other"))).toEqual(["a", "b"]);
  });

  test("how often is looked", async ({ place, expect }) => {
    await approvedClean(place);
    const clone = cloneIn(place);
    clone.write("countersign.jsonc", { checkpoints: { refetchOnCall: true } });
    expect(await asked(place, clone)).toBe(3);
  });

  test("and what it asks for beside that is ignored all the same", async ({ place, expect }) => {
    const clone = cloneIn(place);
    clone.write("countersign.jsonc", { servers: { raw: { trusted: true, severities: { "html-comment": "refuse" } } } });
    expect(await findings(place, clone)).toEqual(["html-comment refuse"]);
    expect((await clone.countersign("status", "--json")).stdout).toContain('"servers.raw.trusted = true"');
  });
});

const loose = { servers: { raw: { trusted: true } } };

describe("a trust is in one file as it is [agent.trust]", { concurrent: true }, () => {
  test("any change of its content takes it away", async ({ place, expect }) => {
    const clone = cloneIn(place);
    const config = clone.write("countersign.jsonc", loose);
    await clone.countersign("trust", "--yes");
    expect(await findings(place, clone)).toEqual([]);
    writeFileSync(config, `${JSON.stringify(loose)} `);
    expect(await findings(place, clone)).toEqual(["html-comment refuse"]);
    expect((await clone.countersign("trust", "--list")).stdout).toMatch(/^changed {2}config/);
    clone.write("countersign.jsonc", loose);
    expect(await findings(place, clone)).toEqual([]);
    expect((await clone.countersign("trust", "--list")).stdout).toMatch(/^holds {2}config/);
  });

  test("so does another place", async ({ place, expect }) => {
    const clone = cloneIn(place);
    clone.write("countersign.jsonc", loose);
    await clone.countersign("trust", "--yes");
    renameSync(clone.root, join(place.folder, "moved"));
    const moved = cloneIn(place, "moved");
    expect(await findings(place, moved)).toEqual(["html-comment refuse"]);
    expect((await moved.countersign("trust", "--list")).stdout).toMatch(/^gone {2}config/);
  });

  test("a link in another repository to what is trusted is not trusted", async ({ place, expect }) => {
    const clone = cloneIn(place);
    const config = clone.write("countersign.jsonc", loose);
    await clone.countersign("trust", "--yes");
    const other = cloneIn(place, "other");
    symlinkSync(config, join(other.root, "countersign.jsonc"));
    expect(await findings(place, other)).toEqual(["html-comment refuse"]);
    expect(await findings(place, clone)).toEqual([]);
  });

  test("nor is another content behind a link that is trusted", async ({ place, expect }) => {
    const clone = cloneIn(place);
    clone.write("first.jsonc", loose);
    clone.write("second.jsonc", { severities: { "html-comment": "off" } });
    const link = join(clone.root, "countersign.jsonc");
    symlinkSync("first.jsonc", link);
    await clone.countersign("trust", "--yes");
    expect(await findings(place, clone)).toEqual([]);
    rmSync(link);
    symlinkSync("second.jsonc", link);
    expect(await findings(place, clone)).toEqual(["html-comment refuse"]);
  });

  test("another way to the same folder is the same file", async ({ place, expect }) => {
    const clone = cloneIn(place);
    clone.write("countersign.jsonc", loose);
    symlinkSync(clone.root, join(place.folder, "way"));
    await place.countersign("trust", "way", "--yes");
    expect(await findings(place, clone)).toEqual([]);
  });

  test("it is taken away by hand too, and is the owner's alone", async ({ place, expect }) => {
    const clone = cloneIn(place);
    clone.write("countersign.jsonc", loose);
    await clone.countersign("trust", "--yes");
    const folder = join(place.folder, "state/countersign/trusted");
    const [record = "", ...others] = readdirSync(folder);
    expect(record).toMatch(/^[0-9a-f]{64}$/);
    expect(others).toEqual([]);
    expect(statSync(join(folder, record)).mode & 0o777).toBe(0o600);
    expect((await clone.countersign("untrust")).code).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
    expect(await findings(place, clone)).toEqual(["html-comment refuse"]);
    expect((await clone.countersign("untrust")).code).toBe(2);
  });

  test("nobody trusts without saying so", async ({ place, expect }) => {
    const clone = cloneIn(place);
    clone.write("countersign.jsonc", loose);
    const { code, stderr } = await clone.countersign("trust");
    expect(stderr).toBe("countersign: Cannot trust without a terminal, where somebody is asked, and without --yes\n");
    expect(code).toBe(3);
    expect(await findings(place, clone)).toEqual(["html-comment refuse"]);
  });

  test("at a terminal it takes a y, after what it allows was shown", async ({ place, expect, skip }) => {
    skip(
      !existsSync("/usr/bin/script"),
      "script(1) of util-linux is not here; install it, as in: apt-get install bsdutils",
    );
    const clone = cloneIn(place);
    const config = clone.write("countersign.jsonc", loose);
    const [node = "", bin = ""] = place.guarded("any", []);
    const ask = (key: string) => atTerminal([node, bin, "trust", config], place.env, ["[Enter] no "], [key]);
    const no = await ask("");
    expect(no.screen).toContain("would loosen:\n    servers.raw.trusted = true\n");
    expect(no.screen).toContain("nobody said yes");
    expect(await findings(place, clone)).toEqual(["html-comment refuse"]);
    expect((await ask("y")).code).toBe(0);
    expect(await findings(place, clone)).toEqual([]);
  });

  test("the config of a folder above counts below it, up to .git", async ({ place, expect }) => {
    const clone = cloneIn(place);
    clone.write("countersign.jsonc", { severities: { "html-comment": "refuse" } });
    place.write(userConfig, { severities: { "html-comment": "note" } });
    mkdirSync(join(clone.root, "a/b"), { recursive: true });
    const below = { ...clone, ...cloneIn(place, "clone/a/b") };
    rmSync(join(below.root, ".git"), { recursive: true });
    expect(await findings(place, below)).toEqual(["html-comment refuse"]);
    mkdirSync(join(clone.root, "a/.git"));
    expect(await findings(place, below)).toEqual(["html-comment note"]);
  });
});

describe("a project's config that cannot be read holds everything [agent.unreadable]", { concurrent: true }, () => {
  const cannot =
    /^countersign: Cannot use this project's config "[^"]+": .+; nothing is allowed until it is mended or taken away\n$/;

  const broken: Readonly<Record<string, (clone: Clone) => void>> = {
    "that is no JSON": (clone) => clone.write("countersign.jsonc", '{ "strict": tru'),
    "with an unknown setting": (clone) => clone.write("countersign.jsonc", { strickt: true }),
    "with escapes in a key": (clone) => clone.write("countersign.jsonc", { "\u001b[2J": true }),
    "that says one thing twice": (clone) => clone.write("countersign.jsonc", '{ "strict": true, "strict": false }'),
    "that is no UTF-8": (clone) =>
      writeFileSync(join(clone.root, "countersign.jsonc"), Buffer.from([0x7b, 0xff, 0x7d])),
    "that is a folder": (clone) => mkdirSync(join(clone.root, "countersign.jsonc")),
    "that is a pipe": (clone) => void execFileSync("mkfifo", [join(clone.root, "countersign.jsonc")]),
    "that is a link to nowhere": (clone) => symlinkSync("nowhere", join(clone.root, "countersign.jsonc")),
    "that is a link to itself": (clone) => symlinkSync("countersign.jsonc", join(clone.root, "countersign.jsonc")),
    "that is huge": (clone) => clone.write("countersign.jsonc", `{}${" ".repeat(2_000_000)}`),
  };

  for (const [name, make] of Object.entries(broken)) {
    test(name, async ({ place, expect }) => {
      const clone = cloneIn(place);
      make(clone);
      const host = clone.host(place.guarded("raw", server(place, clean)));
      host.send({ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {} } });
      expect(await host.exit).toEqual({ code: 3, signal: null });
      expect(host.lines).toEqual([]);
      expect(host.stderr).toMatch(cannot);
      expect(host.stderr).not.toContain("\u001b");
    });
  }

  test("in every command that goes by it", async ({ place, expect }) => {
    await approvedClean(place);
    const clone = cloneIn(place);
    clone.write("countersign.jsonc", "");
    for (const words of [["status"], ["scan", "raw", "--", "true"], ["approve", "raw", "--yes"], ["trust", "--yes"]]) {
      const { code, stdout, stderr } = await clone.countersign(...words);
      expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
      expect(stderr).toMatch(cannot);
    }
  });
});

/** What a repository's `.mcp.json` can hold: arguments and variables of a server's command. */
describe("what a repository's host config may name [agent.arguments]", { concurrent: true }, () => {
  const configOf = (place: Place, config: string) => {
    const [node = "", bin = "", ...rest] = place.guarded("raw", server(place, clean));
    return [node, bin, ...rest.slice(0, 2), "--config", config, ...rest.slice(2)];
  };

  test("--config in the repository only tightens, until that file is trusted", async ({ place, expect }) => {
    const clone = cloneIn(place);
    const config = clone.write("lax.jsonc", { firstSight: "approve-clean" });
    const tools = async () => {
      const host = clone.host(configOf(place, "./lax.jsonc"));
      await host.initialize();
      const names = toolNames(await host.ask("tools/list"));
      await host.end();
      return { names, stderr: host.stderr };
    };
    const { names, stderr } = await tools();
    expect(names).toEqual([]);
    expect(stderr).toContain(`ignores firstSight = "approve-clean" of "${config}"`);
    await clone.countersign("trust", "./lax.jsonc", "--yes");
    rmSync(join(place.folder, "state/countersign/ledger.db"));
    expect((await tools()).names).toEqual(["a"]);
  });

  test("nor does it take the user's own config away", async ({ place, expect }) => {
    place.write(userConfig, { severities: { "html-comment": "refuse" } });
    const clone = cloneIn(place);
    clone.write("lax.jsonc", { severities: { "html-comment": "off" } });
    const words = ["--config", "./lax.jsonc", "--json", "--", ...server(place, poisoned)];
    expect((await clone.countersign("scan", "raw", ...words)).code).toBe(1);
  });

  test("a link in the repository, or one to it, is no way round", async ({ place, expect }) => {
    const clone = cloneIn(place);
    const inside = clone.write("lax.jsonc", loose);
    const outside = place.write("mine.jsonc", loose);
    symlinkSync(outside, join(clone.root, "out.jsonc"));
    symlinkSync(inside, join(place.folder, "in.jsonc"));
    const look = async (config: string) => {
      const words = ["--config", config, "--", ...server(place, poisoned)];
      return (await clone.countersign("scan", "raw", ...words)).code;
    };
    expect(await look("./out.jsonc")).toBe(1);
    expect(await look(join(place.folder, "in.jsonc"))).toBe(1);
    expect(await look(outside)).toBe(0);
  });

  test("wherever Countersign is started, the config is the repository's", async ({ place, expect }) => {
    const clone = cloneIn(place);
    const config = clone.write("lax.jsonc", loose);
    const words = ["--config", config, "--", ...server(place, poisoned)];
    expect((await place.countersign("scan", "raw", ...words)).code).toBe(1);
  });

  test("so it is in an unpacked folder without .git that has a host's config", async ({ place, expect }) => {
    const config = place.write("unpacked/lax.jsonc", loose);
    const words = ["--config", config, "--", ...server(place, poisoned)];
    expect((await place.countersign("scan", "raw", ...words)).code).toBe(0);
    place.write("unpacked/.mcp.json", { mcpServers: {} });
    expect((await place.countersign("scan", "raw", ...words)).code).toBe(1);
  });

  test("a variable that moves the user's config into the repository is no way round", async ({ place, expect }) => {
    const clone = cloneIn(place);
    clone.write("conf/countersign/countersign.jsonc", { firstSight: "approve-clean" });
    const host = clone.host(place.guarded("raw", server(place, clean)), { XDG_CONFIG_HOME: join(clone.root, "conf") });
    await host.initialize();
    expect(toolNames(await host.ask("tools/list"))).toEqual([]);
    await host.end();
  });

  test("a ledger in the repository is not used until that file is trusted [agent.ledger]", async ({
    place,
    expect,
  }) => {
    await approvedClean(place);
    const clone = cloneIn(place);
    const shipped = join(clone.root, "ledger.db");
    renameSync(join(place.folder, "state/countersign/ledger.db"), shipped);
    const env = { COUNTERSIGN_LEDGER: "./ledger.db" };
    const refused = clone.host(place.guarded("raw", server(place, clean)), env);
    expect(await refused.exit).toEqual({ code: 3, signal: null });
    expect(refused.lines).toEqual([]);
    expect(refused.stderr).toBe(
      `countersign: Cannot use ledger "${shipped}": it lies in a repository (${clone.root}), which could bring approvals of its own; ` +
        `keep the ledger elsewhere, or run "countersign trust --ledger ${shipped}"\n`,
    );
    for (const words of [["status"], ["log"], ["approve", "raw", "--yes"], ["revoke", "raw", "--all"]]) {
      expect((await clone.countersign(...words, "--ledger", shipped)).code).toBe(3);
    }

    const { stdout } = await clone.countersign("trust", "--ledger", "./ledger.db", "--yes");
    expect(stdout).toContain("holds approvals, and they would count:\n    raw: ");
    const host = clone.host(place.guarded("raw", server(place, clean)), env);
    await host.initialize();
    expect(toolNames(await host.ask("tools/list"))).toEqual(["a"]);
    await host.end();

    // Another file in its place, as a pull makes it, is another ledger.
    const bytes = readFileSync(shipped);
    renameSync(shipped, join(clone.root, "old.db"));
    writeFileSync(shipped, bytes);
    expect((await clone.countersign("status", "--ledger", shipped)).code).toBe(3);
  });

  test("nor is one where a variable moves the state there, with trusts of its own", async ({ place, expect }) => {
    const clone = cloneIn(place);
    clone.write("countersign.jsonc", { firstSight: "approve-clean" });
    const state = { XDG_STATE_HOME: join(clone.root, "state") };
    const [node = "", bin = ""] = place.guarded("raw", []);
    const giving = clone.host([node, bin, "trust", "--yes"], state);
    expect((await giving.exit).code).toBe(3);
    expect(giving.stderr).toContain("that lies in a repository");
    // As a repository would bring it.
    await clone.countersign("trust", "--yes");
    renameSync(join(place.folder, "state"), join(clone.root, "state"));
    const ledger = join(place.folder, "ledger.db");
    const host = clone.host(place.guarded("raw", server(place, clean)), { ...state, COUNTERSIGN_LEDGER: ledger });
    await host.initialize();
    expect(toolNames(await host.ask("tools/list"))).toEqual([]);
    await host.end();
    const other = clone.host(place.guarded("raw", server(place, clean)), state);
    expect(await other.exit).toEqual({ code: 3, signal: null });
  });

  test("a new ledger in the repository is made by whoever trusts it", async ({ place, expect }) => {
    const clone = cloneIn(place);
    const ledger = join(clone.root, "new.db");
    expect((await clone.countersign("status", "--ledger", ledger)).code).toBe(3);
    await clone.countersign("trust", "--ledger", ledger, "--yes");
    expect((await clone.countersign("status", "--ledger", ledger)).code).toBe(0);
  });

  test("in a loose folder both are the user's word", async ({ place, expect }) => {
    place.write("my.jsonc", loose);
    const words = ["--config", "./my.jsonc", "--", ...server(place, poisoned)];
    expect((await place.countersign("scan", "raw", ...words)).code).toBe(0);
    expect((await place.countersign("status", "--ledger", "./my.db")).code).toBe(0);
  });
});
