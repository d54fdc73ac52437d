import type { SignInReport } from "../commands/sign-in.ts";
import type { SignOutReport } from "../commands/sign-out.ts";
import { saySignInFailure } from "./say-sign-in-failure.ts";
import { shownShort } from "./shown-short.ts";

export function saySignedIn({ server, resource, issuer, scope, until, renewed, where }: SignInReport): string {
  const ends = until === undefined ? "" : `; its token ends ${until}${renewed ? ", and is renewed by itself" : ""}`;
  return [
    `${server}: signed in at ${shownShort(resource)} by ${shownShort(issuer)}`,
    `${scope === undefined ? "" : `with scope ${shownShort(scope)}; `}kept in ${where === "keychain" ? "the keychain" : "a file that only you can read"}${ends}`,
  ].join("\n");
}

export function saySignedOut({ server, signedOut }: SignOutReport): string {
  if (signedOut.length === 0) return `${server}: nobody was signed in`;
  return signedOut
    .map((one) => `${server}: signed out of ${shownShort(one.resource)}; ${sayRevocation(one)}`)
    .join("\n");
}

function sayRevocation({ issuer, revocation }: SignOutReport["signedOut"][number]): string {
  switch (revocation.is) {
    case "revoked":
      return `its tokens were revoked at ${shownShort(issuer)}`;
    case "revoked-but-last":
      return `its tokens were revoked at ${shownShort(issuer)}, but for the last access token, which cannot be and ends ${revocation.until ?? "by itself"}`;
    case "no-endpoint":
      return `${shownShort(issuer)} revokes no tokens, so they end by themselves`;
    case "failed":
      return `its tokens were forgotten here and not revoked, because ${saySignInFailure(revocation.failure)}; revoke them at ${shownShort(issuer)}`;
  }
}
