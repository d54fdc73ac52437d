import type { Json, Pointer, Ruling } from "@countersign/core";

export type Bound = Extract<Ruling, { verdict: "bind" }>;

/** Why a call does not reach the server, or its result not the host. Rules and places, never a value. */
export interface CallRefusal {
  readonly code: string;
  readonly rules: readonly { readonly rule: string; readonly at: Pointer }[];
}

/** What each call of a tool is held against, beside whether the tool may be used at all. */
export interface CallGate {
  /** @param params of the request */
  mayCall(bound: Bound, params: Json | undefined): CallRefusal | undefined;
  /** Absent where results pass unseen. */
  mayReturn?(bound: Bound, result: Json): CallRefusal | undefined;
}

/** The rules that a refusal names, for a sentence and as data. The first few: a call can break any number. */
export function rulesText({ rules }: CallRefusal): { readonly sentence: string; readonly data: string } {
  const few = rules.slice(0, most);
  const more = rules.length > few.length ? ` and ${rules.length - few.length} more` : "";
  return {
    sentence: JSON.stringify(
      `${few.map(({ rule, at }) => (at === "" ? rule : `${rule} at ${at}`)).join(", ")}${more}`,
    ).slice(1, -1),
    data: JSON.stringify(few),
  };
}

const most = 5;
