import { Agent, createServer, request as requestTo } from "node:http";

// The least that a program on node:http can do between a host and a server: headers and bytes on, and back, nothing looked at.
// It is what Countersign's own figures are divided by, so it does not change. Its arguments: its port, and the server's.
const [, , port = "", server = ""] = process.argv;
const agent = new Agent({ keepAlive: true });

createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  const { method, url, headers } = request;
  const onward = requestTo({ host: "127.0.0.1", port: server, method, path: url, headers, agent }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on("error", () => response.destroy());
  request.pipe(onward);
}).listen(Number(port), "127.0.0.1");
