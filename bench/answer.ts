import { availableParallelism, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { asServerName } from "../packages/core/src/index.ts";
import { AnswerRelay } from "../packages/wire/src/http/answer-relay.ts";
import { median } from "./figures.ts";

/**
 * `npm run bench -- answer [--megabytes N]`: what it costs to pass one large answer on as it comes, in pieces of 64 KiB, beside
 * a copy of the same pieces, and decoding and `JSON.parse` of a message of the same kind (of 64 MB: V8 has no string of a gigabyte).
 */
const { values } = parseArgs({ options: { megabytes: { type: "string", default: "1000" } } });
const megabytes = Number(values.megabytes);
if (!Number.isInteger(megabytes) || megabytes < 1)
  throw new Error("Cannot measure: --megabytes takes a number of megabytes");
const server = asServerName("bench");
if (server === undefined) throw new Error("Cannot measure: no name of a server");

const pieceLength = 64 * 1024;
const rounds = 5;

interface Kind {
  readonly what: string;
  readonly begin: string;
  readonly unit: string;
  readonly end: string;
}

const text = { begin: '{"result":{"content":[{"type":"text","text":"', end: '"}]},"jsonrpc":"2.0","id":1}' };
const rows = { begin: '{"result":{"structuredContent":{"rows":[', end: '0]}},"jsonrpc":"2.0","id":1}' };
const kinds: readonly Kind[] = [
  { what: "base64", ...text, unit: "QUJDREVGR0hJSktMTU5PUA" },
  { what: "text with escapes", ...text, unit: "a line of about as many words as most\\n" },
  { what: "Chinese text", ...text, unit: "那只敏捷的棕色狐狸跳过了懒狗。" },
  { what: "rows of small values", ...rows, unit: '{"id":12345,"name":"some name","size":0.75,"open":true},' },
];

const before = loadavg()[0] ?? 0;
const measured = kinds.map((kind) => {
  const unit = Buffer.from(kind.unit);
  const piece = Buffer.concat(new Array<Buffer>(Math.ceil(pieceLength / unit.length)).fill(unit));
  const count = Math.ceil((megabytes * 1e6) / piece.length);
  const parsed = Buffer.from(kind.begin + piece.toString().repeat(Math.ceil(64e6 / piece.length)) + kind.end);
  const [relaying, copying, parsing]: [number[], number[], number[]] = [[], [], []];
  let growth = 0;
  for (let round = 0; round < rounds; round++) {
    const resident = process.memoryUsage().rss;
    relaying.push(rateOf(piece.length * count, () => relayed(kind, piece, count)));
    growth = Math.max(growth, process.memoryUsage().rss - resident);
    copying.push(rateOf(piece.length * count, () => copied(piece, count)));
    parsing.push(rateOf(parsed.length, () => JSON.parse(parsed.toString())));
  }
  return {
    what: kind.what,
    relay: median(relaying),
    copy: median(copying),
    parse: median(parsing),
    growth: growth / 1e6,
  };
});

function relayed({ begin, end }: Kind, piece: Buffer, count: number): void {
  let written = 0;
  const relay = new AnswerRelay({
    ...{ expects: { key: "1" }, hostId: "1", server: server ?? neverUnnamed(), accepted: new Set<string>() },
    write: (bytes) => {
      written += bytes.length;
      return true;
    },
  });
  relay.push(Buffer.from(begin));
  for (let index = 0; index < count; index++) relay.push(piece);
  relay.push(Buffer.from(end));
  const verdict = relay.end(true);
  if (verdict.is !== "complete" || written < piece.length * count)
    throw new Error(`Cannot measure: ${JSON.stringify(verdict)} after ${written} bytes`);
}

function neverUnnamed(): never {
  throw new Error("Cannot measure: no name of a server");
}

function copied(piece: Buffer, count: number): void {
  const copy = Buffer.alloc(piece.length);
  for (let index = 0; index < count; index++) piece.copy(copy);
}

/** Megabytes in a second. */
function rateOf(bytes: number, work: () => void): number {
  const start = performance.now();
  work();
  return bytes / 1e3 / (performance.now() - start);
}

const row = (cells: readonly string[]) =>
  `  ${(cells[0] ?? "").padEnd(22)}${cells
    .slice(1)
    .map((cell) => cell.padStart(14))
    .join("")}\n`;
const load = `load ${before.toFixed(1)} to ${(loadavg()[0] ?? 0).toFixed(1)}`;
process.stdout.write(
  `Node ${process.version}, ${availableParallelism()} cores, ${load}\n\n` +
    `One answer of ${megabytes} MB, MB/s (medians of ${rounds} rounds)\n` +
    row(["", "relay", "copy", "JSON.parse", "relay/parse", "grown by, MB"]) +
    measured
      .map(({ what, relay, copy, parse, growth }) =>
        row([what, relay.toFixed(0), copy.toFixed(0), parse.toFixed(0), (relay / parse).toFixed(2), growth.toFixed(1)]),
      )
      .join(""),
);
