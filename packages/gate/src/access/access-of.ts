import type { IncomingMessage } from "node:http";
import type { ServerName } from "@countersign/core";
import { type AccessKey, asKeyHash, type KeyId, keyStanding } from "@countersign/ledger";
import type { Access, Admitted, Credential, Refused } from "./admission.ts";
import type { JwtSettings } from "./jwt-settings.ts";
import { isHashOf, keyIdIn, looksLikeKey } from "./key.ts";
import { isOfThisMachine } from "./of-this-machine.ts";
import { anonymous as nobodyKnown } from "./principal.ts";
import type { Refusal } from "./refusal.ts";
import { tokenCheckOf } from "./token-check.ts";

export interface AccessOptions {
  /** All keys that there ever were, as the ledger has them at this moment. */
  readonly keys: () => Promise<ReadonlyMap<KeyId, AccessKey>>;
  readonly jwt?: JwtSettings;
  readonly anonymous: boolean;
  /** Whether there is a server of that name. */
  readonly exists: (server: ServerName) => boolean;
  /** Something of ours does not work. */
  readonly trouble: (error: string) => void;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** Who may call. What was decided is asked for at each request, so that a revoked key opens nothing more. */
export function accessOf(options: AccessOptions): Access {
  const { keys, jwt, anonymous, exists, trouble, now = Date.now } = options;
  const checkToken = jwt === undefined ? undefined : tokenCheckOf(jwt, { trouble });

  const byKey = async (text: string): Promise<Known | Refused> => {
    const id = keyIdIn(text);
    if (id === undefined) return refused({ code: "KEY_MISTYPED" });
    let key: AccessKey | undefined;
    try {
      key = (await keys()).get(id);
    } catch (error) {
      trouble(error instanceof Error ? error.message : String(error));
      return refused({ code: "LEDGER_TROUBLE" });
    }
    // One that is not known is compared as well: how long it takes tells nobody which identifiers there are.
    const right = isHashOf(text, key?.hash ?? nobodys);
    if (key === undefined || !right) return refused({ code: "KEY_UNKNOWN" });
    switch (keyStanding(key, now())) {
      case "revoked":
        return refused({ code: "KEY_REVOKED" });
      case "expired":
        return refused({ code: "KEY_EXPIRED" });
      case "live": {
        const servers = key.servers === undefined ? undefined : new Set(key.servers);
        return { is: "known", id: `key:${key.name}`, by: { is: "key", key: id }, servers, until: key.expires };
      }
    }
  };

  const byToken = async (token: string, server: ServerName | undefined): Promise<Known | Refused> => {
    if (jwt === undefined || checkToken === undefined) return refused({ code: "TOKENS_NOT_TAKEN" });
    const reading = await checkToken(token, server);
    if (reading.is === "refused") return reading;
    const { subject, servers, until } = reading;
    return { is: "known", id: `jwt:${jwt.issuer} ${subject}`, by: { is: "jwt", token }, servers, until };
  };

  const known = async (request: IncomingMessage, server: ServerName | undefined): Promise<Known | Refused> => {
    const presented = credentialIn(request);
    switch (presented.is) {
      case "nothing":
        if (!anonymous || !isOfThisMachine(request)) return refused({ code: "NO_CREDENTIAL" });
        return { is: "known", id: nobodyKnown, by: { is: "nothing" }, servers: undefined, until: undefined };
      case "malformed":
        return refused({ code: "MALFORMED_HEADER" });
      case "bearer":
        return looksLikeKey(presented.token) ? byKey(presented.token) : byToken(presented.token, server);
    }
  };

  return {
    async admit(request, server) {
      const caller = await known(request, server);
      if (caller.is === "refused") return caller;
      const { id, by, servers, until } = caller;
      if (servers !== undefined && (server === undefined || !servers.has(server))) {
        return refused({ code: "SERVER_NOT_ALLOWED" });
      }
      if (server !== undefined && !exists(server)) return refused({ code: "NO_SUCH_SERVER" });
      return { is: "admitted", principal: { id }, by, ...(until === undefined ? {} : { until }) } satisfies Admitted;
    },
    async holding() {
      const present = await keys();
      return ({ by }) => {
        if (by.is !== "key") return true;
        const key = present.get(by.key);
        return key !== undefined && key.revoked === undefined;
      };
    },
    issuer: jwt === undefined ? undefined : { url: jwt.issuer, scopes: jwt.scopes },
    anonymous,
  };
}

interface Known {
  readonly is: "known";
  readonly id: string;
  readonly by: Credential;
  /** The only ones that it may use. */
  readonly servers: ReadonlySet<ServerName> | undefined;
  readonly until: number | undefined;
}

function refused(because: Refusal): Refused {
  return { is: "refused", because };
}

type Presented =
  | { readonly is: "nothing" }
  | { readonly is: "malformed" }
  | { readonly is: "bearer"; readonly token: string };

function credentialIn({ rawHeaders }: IncomingMessage): Presented {
  const values = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === header);
  const [value] = values;
  if (value === undefined) return { is: "nothing" };
  const token = /^bearer +(?<token>[A-Za-z0-9._~+/-]+=*)$/i.exec(value)?.groups?.["token"];
  return values.length > 1 || token === undefined ? { is: "malformed" } : { is: "bearer", token };
}

const header = "authorization";

/** Of no key that anybody has. */
const nobodys = asKeyHash(`sha256:${"0".repeat(64)}`) ?? unreachable();

function unreachable(): never {
  throw new RangeError("64 zeros are a hash");
}
