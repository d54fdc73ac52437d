import { readFile } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { createLocalJWKSet, createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from "jose";

/** The keys by which tokens are checked cannot be had. Nobody is let in by a token meanwhile. */
export class KeySetError extends Error {
  override readonly name = "KeySetError";
  readonly code: "KEY_SET_UNREACHABLE" | "KEY_SET_UNREADABLE";

  constructor(code: KeySetError["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export interface KeySetTimes {
  /** Milliseconds: of one fetch, between fetches for a key that is not known, and for which a set counts. */
  readonly timeout: number;
  readonly cooldown: number;
  readonly age: number;
}

const usual: KeySetTimes = { timeout: 5_000, cooldown: 30_000, age: 600_000 };

/** @param where a URL, or the absolute path of a file */
export function keySetAt(where: string, times: KeySetTimes = usual): JWTVerifyGetKey {
  return isAbsolute(where) ? keySetInFile(where) : keySetAtUrl(new URL(where), times);
}

function keySetAtUrl(url: URL, { timeout, cooldown, age }: KeySetTimes): JWTVerifyGetKey {
  // Whoever calls chooses the key that a token names, so a fetch that failed is not tried again for each of them.
  let failed: { readonly at: number; readonly error: KeySetError } | undefined;
  const find = createRemoteJWKSet(url, {
    ...{ timeoutDuration: timeout, cooldownDuration: cooldown, cacheMaxAge: age },
    async [customFetch](target, options) {
      if (failed !== undefined && performance.now() - failed.at < Math.min(cooldown, pause)) throw failed.error;
      try {
        const text = await textAt(target, options);
        failed = undefined;
        return new Response(text, { status: 200 });
      } catch (error) {
        failed = { at: performance.now(), error: troubleOf(error, target) };
        throw failed.error;
      }
    },
  });
  return async (header, token) => {
    try {
      return await find(header, token);
    } catch (error) {
      if (error instanceof errors.JWKSInvalid || isGeneric(error)) throw unreadable(url.href, error);
      throw error;
    }
  };
}

/** A file is small and near: it is read again when it was looked at some seconds ago. */
function keySetInFile(path: string): JWTVerifyGetKey {
  let known: { readonly at: number; readonly find: JWTVerifyGetKey } | undefined;
  return async (header, token) => {
    if (known === undefined || performance.now() - known.at > pause) {
      known = { at: performance.now(), find: await readKeySet(path) };
    }
    return known.find(header, token);
  };
}

async function readKeySet(path: string): Promise<JWTVerifyGetKey> {
  try {
    return createLocalJWKSet(JSON.parse(await readFile(path, "utf8")));
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function textAt(url: string, options: RequestInit): Promise<string> {
  const response = await fetch(url, options);
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new KeySetError("KEY_SET_UNREACHABLE", `Cannot fetch the key set ${url}: it answers ${response.status}`);
  }
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > mostBytes) {
      throw new KeySetError(
        "KEY_SET_UNREADABLE",
        `Cannot use the key set ${url}: it is larger than ${mostBytes} bytes`,
      );
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function troubleOf(error: unknown, url: string): KeySetError {
  if (error instanceof KeySetError) return error;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const because = cause instanceof Error ? cause.message : String(cause);
  return new KeySetError("KEY_SET_UNREACHABLE", `Cannot fetch the key set ${url}: ${because}`, { cause: error });
}

function unreadable(where: string, cause: unknown): KeySetError {
  return new KeySetError("KEY_SET_UNREADABLE", `Cannot use the key set ${where}: it is no JSON Web Key Set`, { cause });
}

function isGeneric(error: unknown): boolean {
  return error instanceof errors.JOSEError && error.code === "ERR_JOSE_GENERIC";
}

const pause = 5_000;
const mostBytes = 256 * 1024;
