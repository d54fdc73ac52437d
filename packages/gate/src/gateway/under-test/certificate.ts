import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A certificate for this machine that OpenSSL makes, in files of its own. */
export function makeCertificate(
  folder: string,
  name: string,
): { readonly cert: string; readonly key: string; readonly pem: string } {
  const [cert, key] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  const subject = ["-subj", `/CN=${name}`, "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const made = spawnSync("openssl", ["req", "-x509", ...curve, "-keyout", key, "-out", cert, ...subject], {
    encoding: "utf8",
  });
  if (made.status !== 0) throw new Error(`openssl made no certificate: ${made.error?.message ?? made.stderr}`);
  return { cert, key, pem: readFileSync(cert, "utf8") };
}
