import type { Address, Offer, Rendering, Ruling, Source } from "@countersign/core";
import type { Collected } from "./collect-offer.ts";
import type { HeldOffers } from "./held-offers.ts";
import type { HostView } from "./host-view.ts";
import type { Use } from "./methods.ts";
import { fallsUnder } from "./template.ts";
import { codeOf } from "./wire-event.ts";
import { isLetThrough } from "./withheld.ts";

export type MayUse =
  /** `as`: what the host is shown of it. `despite`: why it would not be, did the operator not let everything pass. */
  | { readonly is: "yes"; readonly as: Rendering; readonly despite?: string }
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
export async function mayUse(use: Use, options: MayUseOptions): Promise<MayUse> {
  const { view } = options;
  let no: MayUse = { is: "no", code: "NOT_OFFERED" };
  for (const source of sourcesOf[use.kind]) {
    const ruled = await rulingsOn(source, options);
    if (ruled.is === "failed") {
      no = { is: "no", code: ruled.failure.code };
      continue;
    }
    for (const ruling of ruled.rulings) {
      if (!names(ruling.address, use)) continue;
      if (ruling.verdict !== "bind") {
        const code = codeOf(ruling.reasons);
        no = { is: "no", code };
        // Somebody decided against this very resource; that a template covers it does not overrule them.
        if (use.kind === ruling.address.kind && (code === "REJECTED" || code === "REVOKED")) return no;
        continue;
      }
      // Whatever the host was shown: nobody approved that either.
      if (isLetThrough(ruling)) return { is: "yes", as: ruling.rendering, despite: codeOf(ruling.reasons) };
      if (view.mayMean(ruling.address, ruling.rendering.digest)) return { is: "yes", as: ruling.rendering };
      no = { is: "no", code: "NOT_AS_SHOWN", outdated: source };
    }
  }
  return no;
}

type Ruled = { readonly is: "ruled"; readonly rulings: readonly Ruling[] } | Extract<Collected, { is: "failed" }>;

/** On the list as it is held, unless it went stale before or while it was ruled on; otherwise on one that is asked for now. */
async function rulingsOn(source: Source, { offers, rule, refetch }: MayUseOptions): Promise<Ruled> {
  const held = refetch ? undefined : offers.fresh(source);
  if (held !== undefined) {
    const rulings = await rule(held);
    if (offers.fresh(source) !== undefined) return { is: "ruled", rulings };
  }
  const derived = await offers.derive(source, !refetch);
  return derived.is === "failed" ? derived : { is: "ruled", rulings: await rule(derived.offer) };
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
