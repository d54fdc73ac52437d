import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";

const issuer = "https://issuer.example.com";
const audience = "https://mcp.example.com";

/** Somebody who issues tokens, and has its keys on this machine. */
export interface TokenIssuer {
  /** The `gateway.jwt` of a config that takes its tokens. */
  readonly jwt: { readonly jwks: string; readonly issuer: string; readonly audience: string };
  /** What the holder of a token sends. */
  authorizationOf(subject: string): Promise<string>;
  close(): Promise<void>;
}

export async function startTokenIssuer(): Promise<TokenIssuer> {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  const keys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: "1", alg: "ES256", use: "sig" }] });
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(keys);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    jwt: { jwks: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`, issuer, audience },
    async authorizationOf(subject) {
      const token = new SignJWT().setProtectedHeader({ alg: "ES256", kid: "1" }).setIssuer(issuer);
      return `Bearer ${await token.setAudience(audience).setSubject(subject).setIssuedAt().setExpirationTime("1h").sign(privateKey)}`;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
