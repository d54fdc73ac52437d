import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { createSecureContext, type SecureContextOptions, type Server } from "node:tls";
import { visible } from "@countersign/core";
import type { AccessEvent } from "../access/access-event.ts";
import { GateError } from "../gate-error.ts";

/** Paths of PEM files: the certificate with what leads to its authority, and its key. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

export interface ServedFiles {
  readonly options: SecureContextOptions;
  /** From now on connections to the server get what the files hold. */
  keepIn(server: Server): void;
  stop(): void;
}

/**
 * Reads the files, and again when they change: both at once or neither. What is broken, or does not fit together, is said
 * and changes nothing.
 *
 * @param lookEvery in milliseconds
 * @throws GateError where they are of no use at the start
 */
export async function serveFiles(
  files: TlsFiles,
  report: (event: AccessEvent) => void,
  lookEvery = 2_000,
): Promise<ServedFiles> {
  let known = await marksOf(files);
  const first = await readPair(files);
  if (first.isOpen) report({ is: "trouble", error: openKey(files) });
  let server: Server | undefined;
  const look = async (): Promise<void> => {
    const marks = await marksOf(files);
    if (marks === known) return;
    // Whoever replaces two files replaces one of them first.
    await new Promise((waited) => setTimeout(waited, lookEvery / 4));
    if ((await marksOf(files)) !== marks) return;
    known = marks;
    const pair = await readPair(files);
    server?.setSecureContext(contextOf(pair));
    report({ is: "certificate-loaded", until: new Date(pair.until).toISOString() });
    if (pair.isOpen) report({ is: "trouble", error: openKey(files) });
  };
  let looking = false;
  let trouble: string | undefined;
  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    look()
      .then(() => {
        trouble = undefined;
      })
      .catch((error: unknown) => {
        const text = error instanceof Error ? error.message : String(error);
        if (text !== trouble) report({ is: "certificate-refused", error: text });
        trouble = text;
      })
      .finally(() => {
        looking = false;
      });
  }, lookEvery).unref();
  return {
    options: contextOf(first),
    keepIn: (one) => {
      server = one;
    },
    stop: () => clearInterval(timer),
  };
}

/** What of the files changes when they do. A link to another file is another file. */
async function marksOf({ cert, key }: TlsFiles): Promise<string> {
  const stats = await Promise.all([cert, key].map((path) => stat(path, { bigint: true }).catch(() => undefined)));
  return stats.map((one) => (one === undefined ? "none" : `${one.dev} ${one.ino} ${one.size} ${one.mtimeNs}`)).join();
}

interface Pair {
  readonly cert: Buffer;
  readonly key: Buffer;
  /** Milliseconds since 1970 at which the certificate ends. */
  readonly until: number;
  /** Others than the owner of the key's file may read it. */
  readonly isOpen: boolean;
}

async function readPair(files: TlsFiles): Promise<Pair> {
  const [cert, key] = await Promise.all([bytesOf(files.cert), bytesOf(files.key)]);
  const first = parsed(files.cert, "certificate", () => new X509Certificate(cert));
  const secret = parsed(files.key, "key", () => createPrivateKey(key));
  if (!first.checkPrivateKey(secret)) {
    const cause = `it is not of the key in "${visible(files.key)}"; the server's own certificate has to come first in it`;
    throw unusable(files.cert, cause);
  }
  const until = Date.parse(first.validTo);
  if (until <= Date.now()) throw unusable(files.cert, `it ended at ${new Date(until).toISOString()}`);
  parsed(files.cert, "certificate", () => createSecureContext(contextOf({ cert, key })));
  const { mode } = await stat(files.key);
  return { cert, key, until, isOpen: process.platform !== "win32" && (mode & 0o077) !== 0 };
}

async function bytesOf(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    const message = `Cannot read "${visible(path)}" for TLS: ${code}; check the path and its permissions`;
    throw new GateError("CONFIG", message, { cause: error });
  }
}

function parsed<T>(path: string, what: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw unusable(path, `it holds no ${what} in PEM that OpenSSL takes`, error);
  }
}

function unusable(path: string, because: string, cause?: unknown): GateError {
  return new GateError("CONFIG", `Cannot offer TLS with "${visible(path)}": ${because}`, { cause });
}

function openKey({ key }: TlsFiles): string {
  return `others than its owner may read the key "${visible(key)}"; run chmod 600 on it`;
}

function contextOf({ cert, key }: Pick<Pair, "cert" | "key">): SecureContextOptions {
  return { cert, key, minVersion: "TLSv1.2" };
}
