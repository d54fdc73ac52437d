import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createSecureContext, type SecureContextOptions, type Server } from "node:tls";
import { visible } from "@countersign/core";
import type { AccessEvent } from "../access/access-event.ts";
import { GateError } from "../gate-error.ts";

/** PEM files: the certificate with what leads to its authority, and its key. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
  /** How often they are looked at again, in milliseconds. */
  readonly lookEvery?: number;
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
 */
export async function serveFiles(files: TlsFiles, report: (event: AccessEvent) => void): Promise<ServedFiles> {
  const first = await readPair(files);
  const problem = problemOf(first, Date.now());
  if (problem !== undefined) {
    throw new GateError(
      "CONFIG",
      `Cannot use certificate "${visible(files.cert)}" with key "${visible(files.key)}": ${problem}; give PEM files that belong together`,
    );
  }
  let current = first;
  let refused: Pair | undefined;
  let server: Server | undefined;
  const look = async (): Promise<void> => {
    const pair = await readPair(files);
    if (isSame(pair, current)) {
      refused = undefined;
      return;
    }
    if (refused !== undefined && isSame(pair, refused)) return;
    // Whoever replaces two files replaces one of them first.
    const again = await new Promise((waited) => setTimeout(waited, settles)).then(() => readPair(files));
    if (!isSame(again, pair)) return;
    const error = problemOf(pair, Date.now());
    if (error !== undefined) {
      refused = pair;
      report({ is: "certificate-refused", error });
      return;
    }
    server?.setSecureContext(contextOf(pair));
    current = pair;
    refused = undefined;
    report({ is: "certificate-loaded", until: new X509Certificate(pair.cert).validToDate.toISOString() });
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
  }, files.lookEvery ?? 2_000).unref();
  return {
    options: contextOf(first),
    keepIn: (one) => {
      server = one;
    },
    stop: () => clearInterval(timer),
  };
}

interface Pair {
  readonly cert: string;
  readonly key: string;
}

async function readPair({ cert, key }: TlsFiles): Promise<Pair> {
  const [certText, keyText] = await Promise.all([textIn(cert), textIn(key)]);
  return { cert: certText, key: keyText };
}

async function textIn(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    throw new GateError("CONFIG", `Cannot read "${visible(path)}": ${code}; check the path and its permissions`, {
      cause: error,
    });
  }
}

function isSame(one: Pair, other: Pair): boolean {
  return one.cert === other.cert && one.key === other.key;
}

function contextOf({ cert, key }: Pair): SecureContextOptions {
  return { cert, key, minVersion: "TLSv1.2" };
}

/** In words of OpenSSL and ours; nothing of the files. */
function problemOf(pair: Pair, now: number): string | undefined {
  try {
    const certificate = new X509Certificate(pair.cert);
    if (!certificate.checkPrivateKey(createPrivateKey(pair.key))) return "the key is that of another certificate";
    if (certificate.validToDate.getTime() <= now)
      return `the certificate expired on ${certificate.validToDate.toISOString()}`;
    createSecureContext(contextOf(pair));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const settles = 200;
