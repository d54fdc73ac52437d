import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AccessEvent } from "../access/access-event.ts";
import { type ServedFiles, serveFiles } from "./tls-files.ts";
import { makeCertificate } from "./under-test/certificate.ts";

let folder: string;
let cert: string;
let key: string;
const events: AccessEvent[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-tls-"));
  [cert, key] = [join(folder, "served.crt"), join(folder, "served.key")];
  events.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true }));

function put(name: string): void {
  const made = makeCertificate(folder, name);
  // Whole and at once, as who replaces a file does it.
  for (const [from, to] of [
    [made.cert, cert],
    [made.key, key],
  ] as const) {
    copyFileSync(from, `${to}.new`);
    chmodSync(`${to}.new`, 0o600);
    renameSync(`${to}.new`, to);
  }
}

async function serving(use: (nameNow: () => Promise<string>, files: ServedFiles) => Promise<void>): Promise<void> {
  const files = await serveFiles({ cert, key }, (event) => events.push(event), 40);
  const server = createServer(files.options, (_, response) => response.end("here"));
  files.keepIn(server);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const nameNow = () =>
    new Promise<string>((resolve, reject) => {
      const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false }, () => {
        resolve(String(socket.getPeerCertificate().subject.CN));
        socket.destroy();
      });
      socket.once("error", reject);
    });
  try {
    await use(nameNow, files);
  } finally {
    files.stop();
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  }
}

async function until(reached: () => boolean | Promise<boolean>): Promise<void> {
  const late = performance.now() + 3_000;
  while (!(await reached())) {
    if (performance.now() > late) throw new Error(`it did not come to that: ${JSON.stringify(events)}`);
    await new Promise((waited) => setTimeout(waited, 10));
  }
}

describe("serveFiles()", () => {
  test("[access.tls-reload] gives new connections what the files come to hold", async () => {
    put("first");
    await serving(async (nameNow) => {
      expect(await nameNow()).toBe("first");
      put("second");
      await until(async () => (await nameNow()) === "second");
      expect(events).toMatchObject([{ is: "certificate-loaded" }]);
    });
  });

  test("[access.tls-reload] keeps what it has while the files are broken, says so once, and takes them when they are mended", async () => {
    put("first");
    await serving(async (nameNow) => {
      writeFileSync(key, "-----BEGIN PRIVATE KEY-----\nbroken\n-----END PRIVATE KEY-----\n");
      await until(() => events.length > 0);
      const other = makeCertificate(folder, "other");
      copyFileSync(other.key, key);
      await until(() => events.length > 1);
      unlinkSync(cert);
      await until(() => events.length > 2);
      expect(events.map((event) => (event.is === "certificate-refused" ? event.error : event.is))).toEqual([
        expect.stringContaining("it holds no key"),
        expect.stringContaining("it is not of the key in"),
        expect.stringContaining("ENOENT"),
      ]);
      expect(await nameNow()).toBe("first");
      put("third");
      await until(async () => (await nameNow()) === "third");
    });
  });

  test("[access.tls-reload] follows a link that comes to lead elsewhere", async () => {
    const [one, two] = [makeCertificate(folder, "one"), makeCertificate(folder, "two")];
    const lead = (to: typeof one) => {
      for (const [target, link] of [
        [to.cert, cert],
        [to.key, key],
      ] as const) {
        symlinkSync(target, `${link}.new`);
        renameSync(`${link}.new`, link);
      }
    };
    lead(one);
    await serving(async (nameNow) => {
      expect(await nameNow()).toBe("one");
      lead(two);
      await until(async () => (await nameNow()) === "two");
    });
  });

  test("[access.tls] starts with no files that are of no use, and says which", async () => {
    await expect(serveFiles({ cert, key }, () => undefined)).rejects.toMatchObject({
      name: "GateError",
      code: "CONFIG",
    });
    put("first");
    const other = makeCertificate(folder, "other");
    await expect(serveFiles({ cert, key: other.key }, () => undefined)).rejects.toThrow("it is not of the key in");
  });

  test.skipIf(process.platform === "win32")("says that others may read the key", async () => {
    put("first");
    chmodSync(key, 0o644);
    await serving(async () =>
      expect(events).toMatchObject([
        { is: "trouble", error: expect.stringContaining("others than its owner may read") },
      ]),
    );
  });
});
