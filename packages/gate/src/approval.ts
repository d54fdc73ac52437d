import { type Digest, type RawDefinition, render, type ServerName } from "@countersign/core";
import type { Approved } from "@countersign/ledger";

export interface Approval {
  readonly server: ServerName;
  readonly definitions: readonly { readonly definition: RawDefinition; readonly acknowledged: readonly string[] }[];
  readonly by: string;
  readonly reason?: string;
  /** Whether a part of the definitions was not displayed. */
  readonly unseen?: true;
  /** The set that was shown. */
  readonly offer: Digest;
  readonly ruleset: Digest;
  readonly policy: Digest;
}

/** One decision over definitions as they were displayed, as the journal takes it. */
export function approvalOf({ definitions, ...rest }: Approval): Approved {
  return {
    is: "approved",
    ...rest,
    definitions: definitions.map(({ definition: { address, text, received }, acknowledged }) => {
      const plan = { prose: "as-sent" } as const;
      const { contract, rendering } = render(text, received, plan);
      return {
        kind: address.kind,
        name: address.name,
        received,
        contract,
        rendered: rendering.digest,
        plan,
        acknowledged: acknowledged.map((rule) => ({ rule })),
      };
    }),
  };
}
