import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";

/** A real authorization server on this machine: OpenID Connect, with registration, PKCE, resource indicators and revocation. */
export interface AuthorizationServer {
  readonly issuer: string;
  /** The parameters of every token request, and what it was answered with. */
  readonly grants: readonly Grant[];
  /** Takes a refresh token away, and what it was given for. */
  revoke(refreshToken: string): Promise<void>;
  /** What happens to a refresh token. */
  isValid(refreshToken: string): Promise<boolean>;
  close(): Promise<void>;
}

export interface Grant {
  readonly params: Readonly<Record<string, unknown>>;
  readonly status: number;
}

export interface AuthorizationServerOptions {
  /** Seconds that an access token is good for. */
  readonly lifetime?: number;
  /** What it calls a resource in its tokens. */
  readonly audience?: (resource: string) => string;
}

export async function serveAuthorization({
  lifetime = 600,
  audience = (resource) => resource,
}: AuthorizationServerOptions = {}): Promise<AuthorizationServer> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    scopes: ["openid", "offline_access", "notes.read", "notes.write"],
    ttl: { AccessToken: lifetime, Grant: 3_600, Interaction: 600, RefreshToken: 3_600, Session: 3_600 },
    features: {
      registration: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context, resource) => ({
          scope: "notes.read notes.write",
          audience: audience(resource),
          accessTokenTTL: lifetime,
          accessTokenFormat: "jwt",
        }),
        useGrantedResource: () => true,
      },
    },
    cookies: { keys: ["a-key-of-a-test"] },
    // They say on the console that they are for development, which this is.
    renderError: (context, out) => {
      context.type = "html";
      context.body = `<pre>${JSON.stringify(out)}</pre>`;
    },
  });
  const grants: Grant[] = [];
  provider.use(async (context, next) => {
    await next();
    if (context.oidc?.route === "token") grants.push({ params: { ...context.oidc.params }, status: context.status });
  });
  server.on("request", provider.callback());
  return {
    issuer,
    grants,
    async revoke(refreshToken) {
      const found = await provider.RefreshToken.find(refreshToken);
      await found?.destroy();
    },
    async isValid(refreshToken) {
      return (await provider.RefreshToken.find(refreshToken))?.isValid ?? false;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
