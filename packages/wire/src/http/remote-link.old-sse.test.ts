import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { type Came, hear, upstream } from "./under-test/upstream.ts";

const initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}`;
const initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`;
const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`;
const handshake = `{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2024-11-05","capabilities":{}}}`;
const answer = `{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}`;
const log = `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}`;

/** A server of 2024-11-05 that says its endpoint is `endpoint`, and refuses what is posted elsewhere with `status`. */
function old(endpoint: string, status = 405) {
  let stream: ServerResponse | undefined;
  return {
    stream: () => stream,
    answer: ({ method, path, body }: Came, response: ServerResponse) => {
      if (method === "GET" && path === "/mcp") {
        stream = response;
        response
          .writeHead(200, { "content-type": "text/event-stream" })
          .write(`event: endpoint\ndata: ${endpoint}\n\n`);
      } else if (method !== "POST" || path !== "/messages?s=1") response.writeHead(status).end("no");
      else {
        response.writeHead(202).end("Accepted");
        const { id, method: asked } = JSON.parse(body) as { id?: unknown; method?: string };
        if (asked === "initialize")
          stream?.write(`event: message\ndata: ${handshake.replace('"id":0', `"id":${JSON.stringify(id)}`)}\n\n`);
        else if (asked === "tools/list") stream?.write(`data: ${log}\n\ndata: ${answer}\n\n`);
      }
    },
  };
}

describe("[http.old-sse] HTTP with SSE (2024-11-05)", () => {
  test.each([400, 404, 405])("is spoken where the handshake is refused with %i", async (status) => {
    await using server = await upstream(old("/messages?s=1", status).answer);
    await using heard = hear(server.url);
    const told = await heard.over(heard.link.send(initialize));
    expect(told).toEqual([{ begins: { status: 200, as: "json" } }, { message: handshake }, { ends: { is: "done" } }]);
    await heard.over(heard.link.send(initialized));
    const asked = heard.link.send(list);
    expect(await heard.over(asked)).toContainEqual({ message: answer });
    // Everything but answers is of the one stream.
    const [other] = heard.told.filter(({ what }) => "message" in what && what.message === log);
    expect(other?.of.of).toBe("stream");
    expect(server.came.at(-1)?.headers["mcp-protocol-version"]).toBe("2024-11-05");
  });

  test("is spoken at once where the operator says so", async () => {
    await using server = await upstream(old("messages?s=1").answer);
    await using heard = hear(server.url, { transport: "sse" });
    expect(await heard.end(heard.link.send(initialize))).toEqual({ is: "done" });
    expect(server.came.map(({ method }) => method)).toEqual(["GET", "POST"]);
  });

  test.each(["http://127.0.0.1:1/messages", "https://evil.test/", "//evil.test/", "http://a@127.0.0.1/", "http://["])(
    "posts nothing to %s",
    async (endpoint) => {
      await using server = await upstream(old(endpoint).answer);
      await using heard = hear(server.url);
      expect(await heard.end(heard.link.send(initialize))).toEqual({ is: "lost", code: "BAD_ENDPOINT" });
      expect(server.came.map(({ method }) => method)).toEqual(["POST", "GET"]);
    },
  );

  test("is given up where there is no endpoint, and the refusal is told as it was", async () => {
    const error = `{"jsonrpc":"2.0","id":0,"error":{"code":-32022,"message":"no","data":{"supported":["2026-07-28"]}}}`;
    await using server = await upstream(({ method }, response) => {
      if (method === "POST") response.writeHead(400, { "content-type": "application/json" }).end(error);
      else response.writeHead(405).end();
    });
    await using heard = hear(server.url);
    expect(await heard.over(heard.link.send(initialize))).toEqual([
      { begins: { status: 400, as: "json" } },
      { message: error },
      { ends: { is: "done" } },
    ]);
    expect(heard.told).toHaveLength(3);
    await using silent = await upstream(({ method }, response) => {
      if (method === "POST") response.writeHead(404).end();
      else response.writeHead(200, { "content-type": "text/event-stream" }).write(": hello\n\n");
    });
    await using waiting = hear(silent.url, { limits: { connect: 100 } });
    expect(await waiting.end(waiting.link.send(initialize))).toEqual({ is: "refused", status: 404 });
  });

  test("ends everything when its stream does", async () => {
    const server2024 = old("/messages?s=1");
    await using server = await upstream(server2024.answer);
    await using heard = hear(server.url);
    await heard.over(heard.link.send(initialize));
    const asked = heard.link.send(`{"jsonrpc":"2.0","id":5,"method":"ping"}`);
    await expect.poll(() => server.came.length).toBe(4);
    server2024.stream()?.destroy();
    expect(await heard.end(asked)).toEqual({ is: "lost", code: "BROKE_OFF" });
    expect(heard.told.some(({ of, what }) => of.of === "stream" && "ends" in what)).toBe(true);
    expect(await heard.end(heard.link.send(list))).toEqual({ is: "session-gone" });
  });

  test("is opened again by a link that resumes", async () => {
    const server2024 = old("/messages?s=1");
    await using server = await upstream(server2024.answer);
    await using heard = hear(server.url, { resumes: true });
    await heard.over(heard.link.send(initialize));
    await heard.over(heard.link.send(initialized));
    server2024.stream()?.destroy();
    await heard.until((what, of) => of.of === "stream" && "ends" in what);
    expect(await heard.over(heard.link.send(list))).toContainEqual({ message: answer });
    expect(heard.reopenings()).toBe(1);
  });

  test("goes on when whoever listened to its stream stops, and gives it to the next", async () => {
    await using server = await upstream(old("/messages?s=1").answer);
    await using heard = hear(server.url);
    await heard.over(heard.link.send(initialize));
    const first = heard.link.listen();
    await heard.until((what, of) => of === first && "begins" in what);
    heard.link.stop(first);
    expect(await heard.end(first)).toEqual({ is: "stopped" });
    const next = heard.link.listen();
    expect(await heard.over(heard.link.send(list))).toContainEqual({ message: answer });
    expect(heard.told.filter(({ of }) => of === next).map(({ what }) => what)).toContainEqual({ message: log });
    expect(server.came.filter(({ method }) => method === "GET")).toHaveLength(1);
  });
});
