import { spawn } from "node:child_process";

// The least that can stand between a host and a stdio server: bytes in, bytes out, nothing looked at. It is what
// Countersign's own figures are divided by, so it does not change: a faster relay would make every old ratio a lie.
const [command = "", ...args] = process.argv.slice(2);
const server = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
process.stdin.pipe(server.stdin);
server.stdout.pipe(process.stdout);
server.on("exit", (code) => process.exit(code ?? 1));
