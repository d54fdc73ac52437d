/** As much of oidc-provider, which has no types of its own, as a test uses. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  interface Context {
    type: string;
    body: string;
    readonly status: number;
    readonly oidc?: { readonly route: string; readonly params?: Readonly<Record<string, unknown>> };
  }

  interface Token {
    readonly isValid: boolean;
    destroy(): Promise<void>;
  }

  export class Provider {
    readonly RefreshToken: { find(value: string): Promise<Token | undefined> };
    constructor(
      issuer: string,
      configuration: {
        readonly features: {
          readonly resourceIndicators: {
            readonly enabled: boolean;
            readonly getResourceServerInfo: (context: Context, resource: string) => unknown;
            readonly useGrantedResource: () => boolean;
          };
          readonly registration: { readonly enabled: boolean };
          readonly revocation: { readonly enabled: boolean };
        };
        readonly renderError: (context: Context, out: unknown) => void;
        readonly [setting: string]: unknown;
      },
    );
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void;
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
  }
}
