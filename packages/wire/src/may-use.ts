import type { Address, Offer, Ruling, Source } from "@countersign/core";
import type { HeldOffers } from "./held-offers.ts";
import type { HostView } from "./host-view.ts";
import type { Use } from "./methods.ts";
import { fallsUnder } from "./template.ts";
import { codeOf } from "./wire-event.ts";
import { isLetThrough } from "./withheld.ts";

export type MayUse =
  /** `despite`: why it would not be, did the operator not let everything pass. */
  | { readonly is: "yes"; readonly despite?: string }
  /** `outdated`: a list that the host was shown, and that would be another one now. */
  | { readonly is: "no"; readonly code: string; readonly outdated?: Source };

export interface MayUseOptions {
  readonly offers: HeldOffers;
  readonly view: HostView;
  readonly rule: (offer: Offer) => Promise<readonly Ruling[]>;
  /** Derive the list again, even where nothing says that it changed. */
  readonly refetch: boolean;
}

/** Whether a request may reach the server: only for what is bound now, and is what this host was shown. */
export async function mayUse(use: Use, { offers, view, rule, refetch }: MayUseOptions): Promise<MayUse> {
  let no: MayUse = { is: "no", code: "NOT_OFFERED" };
  for (const source of sourcesOf[use.kind]) {
    let offer = refetch ? undefined : offers.fresh(source);
    if (offer === undefined) {
      const derived = await offers.derive(source);
      if (derived.is === "failed") {
        no = { is: "no", code: derived.failure.code };
        continue;
      }
      offer = derived.offer;
    }
    for (const ruling of await rule(offer)) {
      if (!names(ruling.address, use)) continue;
      if (ruling.verdict !== "bind") {
        const code = codeOf(ruling.reasons);
        no = { is: "no", code };
        // Somebody decided against this very resource; that a template covers it does not overrule them.
        if (use.kind === ruling.address.kind && (code === "REJECTED" || code === "REVOKED")) return no;
        continue;
      }
      // Whatever the host was shown: nobody approved that either.
      if (isLetThrough(ruling)) return { is: "yes", despite: codeOf(ruling.reasons) };
      if (view.mayMean(ruling.address, ruling.rendering.digest)) return { is: "yes" };
      no = { is: "no", code: "NOT_AS_SHOWN", outdated: source };
    }
  }
  return no;
}

/** The lists that may hold what is used. */
const sourcesOf: Readonly<Record<Use["kind"], readonly Source[]>> = {
  tool: ["tools/list"],
  prompt: ["prompts/list"],
  resource: ["resources/list", "resources/templates/list"],
};

function names({ kind, name }: Address, use: Use): boolean {
  if (use.kind === "resource" && kind === "template") return fallsUnder(name, use.name);
  return kind === use.kind && name === use.name;
}
