import {
  asSent,
  type Digest,
  type Kind,
  type Misfit,
  type Plan,
  type RawDefinition,
  render,
  type ServerName,
} from "@countersign/core";
import type { Approved, PrincipalId } from "@countersign/ledger";

export interface Approval {
  readonly server: ServerName;
  readonly definitions: readonly {
    readonly definition: RawDefinition;
    readonly acknowledged: readonly string[];
    readonly plan: Plan;
  }[];
  readonly by: string;
  readonly reason?: string;
  /** Whether a part of the definitions was not displayed. */
  readonly unseen?: true;
  /** Milliseconds since 1970. */
  readonly expires?: number;
  /** Whose variants these are; absent where they are for all. Sorted. */
  readonly principals?: readonly PrincipalId[];
  /** The set that was shown. */
  readonly offer: Digest;
  readonly ruleset: Digest;
  readonly policy: Digest;
}

export type ApprovalMade =
  | {
      readonly is: "approval";
      readonly event: Approved;
      /** What the host will be given, where the plan makes that another text than the one that was received. */
      readonly texts: readonly { readonly kind: Kind; readonly digest: Digest; readonly text: string }[];
    }
  | { readonly is: "unfit"; readonly definition: RawDefinition; readonly misfits: readonly Misfit[] };

/** One decision over definitions as they were displayed, as the journal takes it. */
export function approvalOf({ definitions, ...rest }: Approval): ApprovalMade {
  const approved: Approved["definitions"][number][] = [];
  const texts: Extract<ApprovalMade, { is: "approval" }>["texts"][number][] = [];
  for (const { definition, acknowledged, plan } of definitions) {
    const { address, text, received } = definition;
    const { kind, name } = address;
    const rendered = render(kind, text, received, kind === "launch" ? asSent : plan);
    if (rendered.is === "unfit") return { is: "unfit", definition, misfits: rendered.misfits };
    const { contract, rendering } = rendered;
    if (rendering.digest !== received) texts.push({ kind, ...rendering });
    approved.push({
      ...{ kind, name, received, contract, rendered: rendering.digest, plan },
      acknowledged: acknowledged.map((rule) => ({ rule })),
    });
  }
  return { is: "approval", event: { is: "approved", ...rest, definitions: approved }, texts };
}
