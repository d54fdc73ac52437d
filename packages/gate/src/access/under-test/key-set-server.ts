import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";

export const issuer = "https://issuer.example.com";
export const audience = "https://mcp.example.com";

export interface Issuer {
  /** Where its keys are. */
  readonly url: string;
  /** How often somebody asked for them. */
  readonly asked: () => number;
  readonly keys: () => readonly JWK[];
  /** Signs with the last key that it made. */
  readonly token: (
    claims?: Readonly<Record<string, unknown>>,
    header?: { alg?: string; kid?: string },
  ) => Promise<string>;
  /** Makes another key, and takes the ones before out of the set. */
  readonly rotate: () => Promise<void>;
  /** What is answered from now on instead of the keys. */
  readonly answers: (status: number, body: string) => void;
  readonly close: () => Promise<void>;
}

/** A real server of keys on this machine, and tokens signed by them. */
export async function startIssuer(alg = "ES256"): Promise<Issuer> {
  let count = 0;
  let asked = 0;
  let instead: { readonly status: number; readonly body: string } | undefined;
  const make = async () => {
    const { privateKey, publicKey } = await generateKeyPair(alg);
    const kid = `key-${++count}`;
    return { privateKey, kid, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: "sig" } };
  };
  let current = await make();
  const server = createServer((_, response) => {
    asked++;
    const { status, body } = instead ?? { status: 200, body: JSON.stringify({ keys: [current.jwk] }) };
    response.writeHead(status, { "content-type": "application/json", location: "/elsewhere" }).end(body);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`,
    asked: () => asked,
    keys: () => [current.jwk],
    token: (claims = {}, header = {}) => {
      const now = Math.floor(Date.now() / 1_000);
      const usual = { iss: issuer, aud: audience, sub: "ada", iat: now, exp: now + 600 };
      const all = Object.entries({ ...usual, ...claims }).filter(([, value]) => value !== undefined);
      return new SignJWT(Object.fromEntries(all))
        .setProtectedHeader({ alg, kid: current.kid, ...header })
        .sign(current.privateKey);
    },
    rotate: async () => {
      current = await make();
    },
    answers: (status, body) => {
      instead = { status, body };
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((closed) => server.close(() => closed()));
    },
  };
}
