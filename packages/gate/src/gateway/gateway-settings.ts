import type { ServerName } from "@countersign/core";
import type { JwtSettings } from "../access/jwt-settings.ts";
import type { GatewayLimits } from "./limits.ts";
import type { TlsFiles } from "./tls-files.ts";

/** What the operator's config says of the gateway and of the servers behind it. Nothing in it is expanded yet. */
export interface GatewaySettings {
  readonly listen: Listen;
  /** Names under which the gateway is called, beside those of the loopback. Lower-case; with a port where only that counts. */
  readonly hosts: readonly string[];
  /** Origins of browsers that may call it. */
  readonly origins: readonly string[];
  /** Whoever calls without a credential is let in, as `anonymous`. */
  readonly anonymous: boolean;
  /** Which tokens count as credentials, beside keys. */
  readonly jwt?: JwtSettings;
  /** Absent: plain HTTP. */
  readonly tls?: TlsFiles;
  /** Something in front of it ends TLS, so that plain HTTP may be offered beyond the loopback. */
  readonly behindTlsProxy: boolean;
  readonly log: LogFormat;
  readonly limits: GatewayLimits;
  /** In the order of the config. */
  readonly servers: ReadonlyMap<ServerName, Reach>;
}

export interface Listen {
  /** A name or an address; an IPv6 address without brackets. */
  readonly host: string;
  /** 0: whatever is free. */
  readonly port: number;
}

export type LogFormat = "json" | "text";

/** How a server behind the gateway is reached, as the config says it. What stands for `${NAME}` is put in by `commandOf` and `remoteOf`. */
export type Reach = StdioReach | HttpReach;

export interface StdioReach {
  readonly is: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  /** Beside the few variables that every server gets; see `inheritedFrom`. */
  readonly env: ReadonlyMap<string, string>;
  /** An absolute path. Absent: the home folder of whoever runs the gateway. */
  readonly cwd?: string;
  readonly share: Share;
}

/** Whom one child of a server serves: one session, all sessions of one principal, or everybody. */
export type Share = "session" | "principal" | "everyone";

export interface HttpReach {
  readonly is: "http";
  readonly url: string;
  /** Lower-case names. */
  readonly headers: ReadonlyMap<string, string>;
  readonly transport: "auto" | "http" | "sse";
  /** The credential of whoever calls is passed on to this server. */
  readonly passToken: boolean;
  /** The sign-in of whoever runs the gateway counts for every caller. */
  readonly shareSignIn: boolean;
}
