import { stat } from "node:fs/promises";
import type { SecureContextOptions, Server } from "node:tls";
import type { AccessEvent } from "../access/access-event.ts";
import type { TlsFiles } from "./gateway-settings.ts";
import { readTlsFiles, type TlsMaterial } from "./read-tls-files.ts";

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
  const first = await readTlsFiles(files);
  if (first.isKeyOpen) report({ is: "certificate-key-open" });
  let server: Server | undefined;
  const look = async (): Promise<void> => {
    const marks = await marksOf(files);
    if (marks === known) return;
    // Whoever replaces two files replaces one of them first.
    await new Promise((waited) => setTimeout(waited, lookEvery / 4));
    if ((await marksOf(files)) !== marks) return;
    known = marks;
    const material = await readTlsFiles(files);
    server?.setSecureContext(contextOf(material));
    report({ is: "certificate-loaded", until: new Date(material.until).toISOString() });
    if (material.isKeyOpen) report({ is: "certificate-key-open" });
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

function contextOf({ cert, key }: TlsMaterial): SecureContextOptions {
  return { cert, key, minVersion: "TLSv1.2" };
}
