import { request } from "node:http";
import { expect, test } from "vitest";
import { listenForRedirect } from "./redirect-listener.ts";

/** One request as a browser, or somebody else, would send it. */
function ask(url: string, options: { method?: string; host?: string } = {}): Promise<{ status: number; body: string }> {
  const { host = new URL(url).host, method = "GET" } = options;
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers: { host }, agent: false }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (text: string) => {
        body += text;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
    });
    asked.on("error", reject).end();
  });
}

test("one answer with our state is heard, and its page says nothing that it brought [sign-in.redirect]", async () => {
  const listener = await listenForRedirect("the-state");
  expect(listener.redirectUrl).toMatch(/^http:\/\/127\.0\.0\.1:[0-9]+\/callback$/);
  const at = (query: string) => `${listener.redirectUrl}?${query}`;
  const strangers: readonly (readonly [string, number, { method?: string; host?: string }?])[] = [
    [at("code=stolen&state=other"), 400],
    [at("code=stolen"), 400],
    [at("code=a&code=b&state=the-state"), 400],
    [at("code=a&state=the-state&state=x"), 400],
    [at("code=a&iss=x&iss=y&state=the-state"), 400],
    [listener.redirectUrl.replace("callback", "favicon.ico"), 404],
    [at("code=stolen&state=the-state"), 405, { method: "POST" }],
    [at("code=stolen&state=the-state"), 403, { host: "evil.example" }],
    [at("code=stolen&state=the-state"), 403, { host: "localhost:80" }],
  ];
  for (const [url, status, options] of strangers) {
    const answer = await ask(url, options);
    expect([url, options, answer.status]).toEqual([url, options, status]);
    expect(answer.body).not.toMatch(/stolen|the-state|evil/);
  }
  const page = ask(at("code=the-code&state=the-state&error_description=%3Cscript%3Ehello"));
  const { params, show } = await listener.answer;
  expect(params.get("code")).toBe("the-code");
  expect((await ask(at("code=second&state=the-state"))).status).toBe(400);
  show(true);
  const { status, body } = await page;
  expect(status).toBe(200);
  expect(body).toContain("Signed in");
  expect(body).not.toMatch(/the-code|the-state|hello/);
  await expect(ask(at("code=late&state=the-state"))).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

test("a port that is taken is said", async () => {
  const first = await listenForRedirect("a");
  const port = Number(new URL(first.redirectUrl).port);
  await expect(listenForRedirect("b", port)).rejects.toMatchObject({
    failure: { is: "NO_PORT", port, because: "EADDRINUSE" },
  });
  first.close();
  await expect(first.answer).rejects.toMatchObject({ failure: { is: "STOPPED" } });
});
