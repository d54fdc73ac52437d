import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { visible } from "@countersign/core";
import { GateError } from "../gate-error.ts";
import type { TlsFiles } from "./gateway-settings.ts";

/** What TLS is offered with. */
export interface TlsMaterial {
  readonly cert: Buffer;
  readonly key: Buffer;
  /** Milliseconds since 1970 at which the certificate ends. */
  readonly until: number;
  /** Others than the owner of the key's file may read it. */
  readonly isKeyOpen: boolean;
}

/** @throws GateError for anything with which no client could connect */
export async function readTlsFiles({ cert: certFile, key: keyFile }: TlsFiles): Promise<TlsMaterial> {
  const [cert, key] = await Promise.all([bytesOf(certFile, "certificate"), bytesOf(keyFile, "key")]);
  const first = parsed(certFile, "certificate", () => new X509Certificate(cert));
  const secret = parsed(keyFile, "key", () => createPrivateKey(key));
  if (!first.checkPrivateKey(secret)) {
    throw unusable(
      certFile,
      `it is not of the key in "${visible(keyFile)}"; the server's own certificate has to come first in it`,
    );
  }
  const until = Date.parse(first.validTo);
  if (until <= Date.now()) throw unusable(certFile, `it ended at ${new Date(until).toISOString()}`);
  parsed(certFile, "certificate", () => createSecureContext({ cert, key }));
  const { mode } = await stat(keyFile);
  return { cert, key, until, isKeyOpen: process.platform !== "win32" && (mode & 0o077) !== 0 };
}

async function bytesOf(path: string, what: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new GateError(
      "CONFIG",
      `Cannot read the ${what} "${visible(path)}": ${code ?? String(error)}; check the path and its permissions`,
      {
        cause: error,
      },
    );
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
