import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { approve } from "./rig/approve.ts";
import { eventually } from "./rig/eventually.ts";
import { leftAfter, processesWith } from "./rig/processes.ts";
import { answer, hello, scripted, tool } from "./rig/script.ts";
import { connect } from "./rig/sdk-host.ts";
import { toolNames } from "./rig/station.ts";
import { test } from "./rig/test.ts";

/** The lines on stderr that are Countersign's own, as an operator reads them. */
function said(stderr: string): readonly string[] {
  return stderr.split("\n").filter((line) => line.startsWith("countersign: "));
}

const initialize =
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"h","version":"1"}}}';

describe("a server that does not start", { concurrent: true }, () => {
  test("because its command is not there: one line, exit 127 [start.not-found]", async ({ place }) => {
    const host = place.host(place.guarded("raw", ["no-such-command", "--flag"]));
    host.send(initialize);
    expect(await host.exit).toEqual({ code: 127, signal: null });
    expect(host.stderr).toBe(
      'countersign: raw: cannot start the server: the command "no-such-command" was not found; check the command after -- and the PATH of the host\n',
    );
    expect(host.messages.every(({ result }) => result === undefined)).toBe(true);
  });

  test("because it may not be run: one line, exit 126 [start.not-allowed]", async ({ place }) => {
    const program = place.write("program", "#!/bin/sh\n");
    chmodSync(program, 0o644);
    const host = place.host(place.guarded("raw", [program]));
    host.send(initialize);
    expect(await host.exit).toEqual({ code: 126, signal: null });
    expect(host.stderr).toBe(
      `countersign: raw: cannot start the server: the command "${program}" failed with EACCES; check that it is a program that you may run\n`,
    );
  });

  test("because it exits at once: one line with its code and its last words, and its code [start.exits]", async ({
    place,
  }) => {
    const host = place.host(
      place.guarded("raw", scripted(place, { start: [{ stderr: "TOKEN is not set\n" }, { exit: 3 }] })),
    );
    host.send(initialize);
    expect(await host.exit).toEqual({ code: 3, signal: null });
    expect(said(host.stderr)).toEqual([
      "countersign: raw: the server exited with code 3 before it answered anything; its last line on stderr: TOKEN is not set",
    ]);
    expect(host.messages.every(({ result }) => result === undefined)).toBe(true);
  });

  test("because it is killed: one line with the signal, and 128 and its number [start.killed]", async ({ place }) => {
    const host = place.host(place.guarded("raw", scripted(place, { initialize: [{ kill: "SIGKILL" }] })));
    host.send(initialize);
    expect(await host.exit).toEqual({ code: 137, signal: null });
    expect(said(host.stderr)).toEqual([
      "countersign: raw: the server was ended by SIGKILL before it answered anything; it wrote nothing to stderr",
    ]);
    expect(host.messages).toEqual([
      { jsonrpc: "2.0", id: 1, error: { code: -32603, message: "Countersign the server closed the connection" } },
    ]);
  });
});

describe("a server that does not answer", { concurrent: true }, () => {
  test("is waited for, and after ten seconds a line says so; nothing is allowed meanwhile [silent.says]", async ({
    place,
  }) => {
    const host = place.host(place.guarded("raw", scripted(place, {})));
    host.send(initialize);
    await host.says("the server has not answered initialize for 10 s; still waiting, nothing is allowed meanwhile");
    expect(said(host.stderr)).toHaveLength(1);
    expect(host.messages).toEqual([]);
  });

  test("a list of its own, has that list withheld and not the others [silent.list]", async ({ place }) => {
    const host = place.host(
      place.guarded(
        "raw",
        scripted(place, { initialize: [hello("tools", "prompts")], "prompts/list": [answer('{"prompts":[]}')] }),
      ),
    );
    await host.initialize({ milliseconds: 25_000 });
    await host.says("withholds the whole list of tools/list: NO_ANSWER");
    expect((await host.ask("prompts/list")).result).toEqual({ prompts: [] });
  });
});

describe("a server that writes what is no message", { concurrent: true }, () => {
  test("has it refused with its reason, and goes on [stdout.rubbish]", async ({ place }) => {
    const rubbish = [
      "Server listening...",
      "\u001b[31mred\u001b[0m",
      "{",
      '"text"',
      "{}",
      '{"jsonrpc":"1.0","method":"x"}',
    ];
    const host = place.host(
      place.guarded(
        "raw",
        scripted(place, {
          start: [...rubbish, { base64: Buffer.from([0xff, 0xfe, 0x0a]).toString("base64") }],
          initialize: [hello("tools")],
          "tools/list": [answer('{"tools":[]}')],
        }),
      ),
    );
    await host.initialize();
    expect(toolNames(await host.ask("tools/list"))).toEqual([]);
    expect(host.lines).toHaveLength(2);
    const refusals = said(host.stderr).filter((line) => line.includes("refused one message from the server"));
    expect(refusals.map((line) => /: ([A-Z_0-9]+) at offset/.exec(line)?.[1])).toEqual([
      "NOT_JSON",
      "NOT_JSON_RPC",
      "BAD_UTF8",
    ]);
    expect(host.stderr).not.toContain("\u001b");
  });

  test("on stderr, has its escapes shown and never sent to a terminal [stderr.escapes]", async ({ place }) => {
    const noise = "\u001b[2J\u001b]0;owned\u0007ready\r\u202ereversed \u{e0041}\n";
    const host = place.host(
      place.guarded(
        "raw",
        scripted(place, {
          start: [{ stderr: noise }],
          initialize: [hello("tools")],
          "tools/list": [answer('{"tools":[]}')],
        }),
      ),
    );
    await host.initialize();
    await host.says("[raw] ⟦U+001B⟧[2J⟦U+001B⟧]0;owned⟦U+0007⟧ready⟦U+000D⟧⟦U+202E⟧reversed ⟦U+E0041⟧\n");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    expect(host.stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  });
});

describe("a server whose answer two readers could read differently", { concurrent: true }, () => {
  const refused = [
    ["a key that stands twice", '{"tools":[],"tools":[{"name":"evil"}]}', "DUPLICATE_KEY"],
    ["a key of the envelope that stands twice", '{"tools":[]},"result":{"tools":[{"name":"evil"}]}', "DUPLICATE_KEY"],
    [
      "a key of the envelope in another case",
      '{"tools":[]},"Result":{"tools":[{"name":"evil"}]}',
      "UNKNOWN_ENVELOPE_KEY",
    ],
    ["the long s of result", '{"tools":[]},"re\u017fult":{"tools":[{"name":"evil"}]}', "UNKNOWN_ENVELOPE_KEY"],
    ["a result that C ends early", '{"tools":[]},"result\\u0000":{"tools":[{"name":"evil"}]}', "UNKNOWN_ENVELOPE_KEY"],
    ["a key that stands twice, deep in it", '{"tools":[],"a":[[{"b":{"c":"x","c":"evil"}}]]}', "DUPLICATE_KEY"],
    ["half a surrogate pair", '{"tools":[{"name":"\\ud800"}]}', "LONE_SURROGATE"],
    ["a request in the answer", '{"tools":[]},"method":"tools/list"', "REQUEST_AND_RESPONSE"],
    ["a number of two thousand digits", `{"tools":[],"n":${"9".repeat(2_000)}}`, "NUMBER_TOO_LONG"],
    ["two hundred levels", `{"tools":[],"n":${"[".repeat(200)}${"]".repeat(200)}}`, "TOO_DEEP"],
  ] as const;

  for (const [what, result, code] of refused) {
    test(`by ${what}: the request gets a named error, and the session lives [frame.refused]`, async ({ place }) => {
      const host = place.host(
        place.guarded(
          "raw",
          scripted(place, { initialize: [hello()], "tools/list": [answer(result)], ping: [answer("{}")] }),
        ),
      );
      await host.initialize();
      expect((await host.ask("tools/list")).error).toEqual({
        code: -32603,
        message: `Countersign refused the server's answer: ${code}`,
        data: { reason: code },
      });
      expect((await host.ask("ping")).error).toBeUndefined();
      for (const line of host.lines) expect(line).not.toContain("evil");
      expect(said(host.stderr)).toEqual([
        expect.stringMatching(
          new RegExp(`refused one message from the server: ${code} at offset [0-9]+; nothing of it was passed on$`),
        ),
      ]);
    });
  }

  test("by what is a line's end to some: it goes out as one line to all [frame.one-line]", async ({ place }) => {
    const smuggled = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"smuggled"}}';
    const host = place.host(
      place.guarded(
        "raw",
        scripted(place, {
          initialize: [hello("tools")],
          "tools/list": [answer(`{"tools":[${tool("a")}]}`)],
          "tools/call": [
            answer(
              `{"content":[{"type":"text","text":"a\u2028${smuggled.replaceAll('"', '\\"')}\u2029b"}],\r"note":1}`,
            ),
          ],
        }),
      ),
    );
    await host.initialize();
    await approve(place, "raw");
    const { result } = await host.ask("tools/call", { name: "a" });
    expect(result).toEqual({ content: [{ type: "text", text: `a\u2028${smuggled}\u2029b` }], note: 1 });
    const line = host.lines.find((one) => one.includes("smuggled")) ?? "";
    expect(line.split(/[\r\n\u0085\u2028\u2029]/)).toHaveLength(1);
    expect(line).toContain("a\\u2028{");
  });

  const twins = [
    ["Tools beside tools", '{"tools":[],"Tools":[{"name":"evil"}]}'],
    ["the long s of tools", '{"tools":[],"tool\u017f":[{"name":"evil"}]}'],
    ["a list that C ends early", '{"tools":[],"tools\\u0000":[{"name":"evil"}]}'],
  ] as const;

  for (const [what, result] of twins) {
    test(`by ${what}: the whole list is withheld, and the session lives [frame.twins]`, async ({ place }) => {
      const host = place.host(
        place.guarded(
          "raw",
          scripted(place, { initialize: [hello()], "tools/list": [answer(result)], ping: [answer("{}")] }),
        ),
      );
      await host.initialize();
      expect((await host.ask("tools/list")).error?.data).toEqual({
        reason: "TWIN_KEY",
      });
      expect((await host.ask("ping")).error).toBeUndefined();
      for (const line of host.lines) expect(line).not.toContain("evil");
    });
  }

  test("by being many messages in one: the batch is refused [frame.batch]", async ({ place }) => {
    const batch = `[{"jsonrpc":"2.0","id":$ID,"result":{"tools":[{"name":"evil"}]}}]`;
    const host = place.host(place.guarded("raw", scripted(place, { initialize: [hello()], "tools/list": [batch] })));
    await host.initialize();
    expect((await host.ask("tools/list")).error?.data).toEqual({ reason: "BATCH" });
  });

  test("by answering twice, or what nobody asked: the first answer stands, the rest is dropped [frame.unasked]", async ({
    place,
  }) => {
    const host = place.host(
      place.guarded(
        "raw",
        scripted(place, {
          initialize: [hello("tools"), hello("tools"), '{"jsonrpc":"2.0","id":99,"result":{"tools":[]}}'],
          "tools/list": [answer(`{"tools":[]}`), answer(`{"tools":[${tool("evil")}]}`)],
        }),
      ),
    );
    await host.initialize();
    expect(toolNames(await host.ask("tools/list"))).toEqual([]);
    await host.says("dropped an answer from the server that nobody had asked for");
    await host.ask("tools/list");
    expect(host.messages.map(({ id }) => id)).toEqual([1, 2, 3]);
    for (const line of host.lines) expect(line).not.toContain("evil");
  });
});

describe("a server whose list does not end", { concurrent: true }, () => {
  test("after a hundred pages has it withheld, and everything else lives [pages.endless]", async ({ place }) => {
    const host = place.host(
      place.guarded(
        "raw",
        scripted(place, {
          initialize: [hello("tools", "prompts")],
          "tools/list": [answer('{"tools":[],"nextCursor":"$N"}')],
          "prompts/list": [answer('{"prompts":[]}')],
        }),
      ),
    );
    await host.initialize();
    expect((await host.ask("tools/list")).error).toEqual({
      code: -32603,
      message: "Countersign withholds this list: ENDLESS_PAGES",
      data: { reason: "ENDLESS_PAGES" },
    });
    expect((await host.ask("tools/call", { name: "a" })).error?.data).toMatchObject({ reason: "ENDLESS_PAGES" });
    expect((await host.ask("prompts/list")).result).toEqual({ prompts: [] });
    await host.says("withholds the whole list of tools/list: ENDLESS_PAGES");
  });

  test("because a cursor comes back has it withheld at the first repetition [pages.repeated]", async ({ place }) => {
    const host = place.host(
      place.guarded(
        "raw",
        scripted(place, {
          initialize: [hello("tools")],
          "tools/list": [answer(`{"tools":[${tool("a")}],"nextCursor":"same"}`)],
        }),
      ),
    );
    await host.initialize();
    expect((await host.ask("tools/list")).error?.data).toEqual({ reason: "REPEATED_CURSOR" });
  });

  test("because it is too long for one line is told so, and lives [frame.too-long]", async ({ place }) => {
    const letters = 20 * 1024 * 1024;
    const host = place.host(
      place.guarded(
        "raw",
        scripted(place, {
          initialize: [hello()],
          "tools/list": [{ head: '{"jsonrpc":"2.0","id":$ID,"result":{"tools":[],"x":"', letters, tail: '"}}' }],
          "prompts/list": [{ head: '{"jsonrpc":"2.0","result":{"prompts":[],"x":"', letters, tail: '"},"id":$ID}' }],
          "resources/list": [answer('{"resources":[]}')],
        }),
      ),
    );
    await host.initialize();
    for (const method of ["tools/list", "prompts/list"]) {
      expect((await host.ask(method)).error?.data).toEqual({ reason: "TOO_LARGE" });
    }
    expect((await host.ask("resources/list")).result).toEqual({ resources: [] });
  });
});

describe("a host whose message cannot be read", { concurrent: true }, () => {
  test("is told so, by its id where that can be seen, and the server never hears of it [frame.host]", async ({
    place,
  }) => {
    const host = place.host(place.guarded("raw", scripted(place, { initialize: [hello()], ping: [answer("{}")] })));
    await host.initialize();
    host.send('{"jsonrpc":"2.0","id":7,"method":"ping","method":"tools/call"}');
    expect((await host.answerTo(7)).error).toEqual({
      code: -32600,
      message: "Countersign refused this message: DUPLICATE_KEY",
    });
    host.send('{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"a","Name":"b"}}');
    expect((await host.answerTo(6)).error?.message).toBe("Countersign refused this message: TWIN_KEY");
    host.send('[{"jsonrpc":"2.0","id":8,"method":"ping"}]');
    expect((await host.answerTo(8)).error?.message).toBe("Countersign refused this message: BATCH");
    host.send(`{"jsonrpc":"2.0","id":9,"method":"ping","params":{"x":"${"x".repeat(17 * 1024 * 1024)}"}}`);
    expect((await host.answerTo(9)).error?.message).toBe("Countersign refused this message: TOO_LARGE");
    expect((await host.ask("ping")).error).toBeUndefined();
  });
});

describe("when it ends, nothing is left", { concurrent: true }, () => {
  const serves = { initialize: [hello("tools")], "tools/list": [answer('{"tools":[]}')] };
  const forever = { end: [{ wait: 60_000 }] };

  test("by a signal to Countersign: the server gets it, its exit code is passed on [end.signal]", async ({ place }) => {
    const host = place.host(place.guarded("raw", scripted(place, serves)));
    await host.initialize();
    await host.ask("tools/list");
    host.kill("SIGTERM");
    expect(await host.exit).toEqual({ code: 143, signal: null });
    expect(await leftAfter(1_000, place.folder)).toEqual([]);
  });

  test("by a signal that the server ignores: the second one kills it [end.second-signal]", async ({ place }) => {
    const host = place.host(place.guarded("raw", scripted(place, { ...serves, ...forever }, ["SIGINT"])));
    await host.initialize();
    host.kill("SIGINT");
    await host.says("ignored SIGINT");
    host.kill("SIGINT");
    expect(await host.exit).toEqual({ code: 137, signal: null });
    expect(await leftAfter(1_000, place.folder)).toEqual([]);
  });

  test("by the server itself: its code is passed on, and whoever waits is told [end.server]", async ({ place }) => {
    const host = place.host(place.guarded("raw", scripted(place, { ...serves, ping: [{ exit: 5 }] })));
    await host.initialize();
    expect((await host.ask("ping")).error).toEqual({
      code: -32603,
      message: "Countersign the server closed the connection",
    });
    expect(await host.exit).toEqual({ code: 5, signal: null });
    expect(said(host.stderr)).toEqual(["countersign: raw: the server exited with code 5; it wrote nothing to stderr"]);
  });

  test("by the host hanging up: the server sees the end of its input, and exits by itself [end.host]", async ({
    place,
  }) => {
    const host = place.host(
      place.guarded("raw", scripted(place, { ...serves, end: [{ stderr: "bye\n" }, { exit: 0 }] })),
    );
    await host.initialize();
    const hung = performance.now();
    host.closeInput();
    expect(await host.exit).toEqual({ code: 0, signal: null });
    expect(performance.now() - hung).toBeLessThan(1_900);
    expect(host.stderr).toContain("[raw] bye");
  });

  test("by the host hanging up, though the server ignores that and SIGTERM: it is killed [end.stubborn]", async ({
    place,
  }) => {
    const host = place.host(place.guarded("raw", scripted(place, { ...serves, ...forever }, ["SIGTERM"])));
    await host.initialize();
    const hung = performance.now();
    host.closeInput();
    expect(await host.exit).toEqual({ code: 137, signal: null });
    expect(performance.now() - hung).toBeLessThan(5_000);
    expect(await leftAfter(1_000, place.folder)).toEqual([]);
  });

  for (const mode of ["v1", "v2 auto"] as const) {
    test(`even by an SDK's host (${mode}) that kills Countersign itself in the end [end.sdk]`, async ({ place }) => {
      const none = '{"jsonrpc":"2.0","id":$ID,"error":{"code":-32601,"message":"Method not found"}}';
      const stubborn = scripted(place, { ...serves, ...forever, "server/discover": [none] }, ["SIGTERM"]);
      const command = place.guarded("raw", stubborn);
      const host = await connect({ mode, command, env: place.env, capable: false });
      // Of the newer client's two processes one has gone already.
      expect(processesWith("raw-server").filter((args) => args.includes(place.folder))).toHaveLength(2);
      await host.close();
      expect(await leftAfter(1_000, place.folder)).toEqual([]);
    });
  }

  for (const holdsPipes of [true, false]) {
    test(`of what the server started, though it ignores SIGTERM and ${holdsPipes ? "holds" : "does not hold"} the pipes [end.grandchildren]`, async ({
      place,
    }) => {
      const ready = join(place.folder, "ready");
      const grandchild = place.write(
        "grandchild.mjs",
        `import { writeFileSync } from "node:fs";
         process.on("SIGTERM", () => undefined);
         setInterval(() => undefined, 1_000);
         writeFileSync(${JSON.stringify(ready)}, "");`,
      );
      const start = [{ spawn: [process.execPath, grandchild], holdsPipes }];
      const host = place.host(place.guarded("raw", scripted(place, { ...serves, start })));
      await host.initialize();
      expect(await eventually(10_000, () => existsSync(ready))).toBeLessThan(10_000);
      host.closeInput();
      expect((await host.exit).code).toBe(0);
      expect(await leftAfter(500, grandchild)).toEqual([]);
    });
  }

  test("of what a host wrote before it hung up, everything is answered [end.drained]", async ({ place }) => {
    const host = place.host(place.guarded("raw", scripted(place, { ...serves, ping: [answer("{}")] })));
    host.send(initialize);
    host.send({ method: "notifications/initialized" });
    host.send({ id: 2, method: "tools/list" });
    host.send({ id: 3, method: "tools/call", params: { name: "a" } });
    host.send({ id: 4, method: "ping" });
    host.closeInput();
    await host.exit;
    expect(host.messages.map(({ id, error }) => [id, error?.data]).sort()).toEqual([
      [1, undefined],
      [2, undefined],
      [3, { reason: "NOT_OFFERED", review: expect.any(String) }],
      [4, undefined],
    ]);
    expect(host.messages.find(({ id }) => id === 2)?.result).toEqual({ tools: [] });
  });
});
