import type { Offer, Ruling, ServerName, Source } from "@countersign/core";

/** How many definitions of one list stand how, by the ledger and the policy of a moment. */
export interface Standings {
  readonly server: ServerName;
  readonly source: Source;
  readonly verdicts: Readonly<Record<Ruling["verdict"], number>>;
}

type Rule = (offer: Offer) => Promise<readonly Ruling[]>;

/** What rules for a guard, and tells how an offer stands whenever that was ruled anew: at each call it is mostly not. */
export function toldRulings(server: ServerName, rule: Rule, tell: (standings: Standings) => void): Rule {
  const told = new Map<Source, WeakRef<readonly Ruling[]>>();
  return async (offer) => {
    const { source } = offer;
    const rulings = await rule(offer);
    if (told.get(source)?.deref() === rulings) return rulings;
    told.set(source, new WeakRef(rulings));
    const verdicts = { bind: 0, quarantine: 0, refuse: 0 };
    for (const { verdict } of rulings) verdicts[verdict]++;
    tell({ server, source, verdicts });
    return rulings;
  };
}
