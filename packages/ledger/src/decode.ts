import { type Json, visible } from "@countersign/core";

/** Reads the value at `at`. What does not fit is noted in `problems`, all of it, and then there is no value. */
export type Decode<T> = (json: Json, at: string, problems: string[]) => T | undefined;

type Decoders<T> = { readonly [K in keyof T]: Decode<T[K]> };

/** A string that `accept` takes; `what` names it in a problem. */
export function textThat<T extends string>(what: string, accept: (text: string) => T | undefined): Decode<T> {
  return (json, at, problems) => {
    const value = json.is === "string" ? accept(json.value) : undefined;
    if (value === undefined) problems.push(`${at}: not ${what}`);
    return value;
  };
}

export function oneOf<const T extends string>(words: readonly T[]): Decode<T> {
  return textThat(`one of ${words.join(", ")}`, (text) => words.find((word) => word === text));
}

/** `true`; what is not so is left out. */
export const yes: Decode<true> = (json, at, problems) => {
  if (json.is === "boolean" && json.value) return true;
  problems.push(`${at}: not true`);
  return undefined;
};

/** A number from 0 up that a double counts exactly. */
export const whole: Decode<number> = (json, at, problems) => {
  const value = json.is === "number" ? wholeOf(json.token) : undefined;
  if (value === undefined) problems.push(`${at}: not a whole number`);
  return value;
};

/** The number that a token spells in its only canonical spelling. */
export function wholeOf(token: string): number | undefined {
  if (!/^(?:0|[1-9][0-9]{0,15})$/.test(token)) return undefined;
  return Number.isSafeInteger(Number(token)) ? Number(token) : undefined;
}

export function listOf<T>(item: Decode<T>): Decode<readonly T[]> {
  return (json, at, problems) => {
    if (json.is !== "array") {
      problems.push(`${at}: not a list`);
      return undefined;
    }
    const values: T[] = [];
    for (const [index, one] of json.items.entries()) {
      const value = item(one, `${at}[${index}]`, problems);
      if (value !== undefined) values.push(value);
    }
    return values.length === json.items.length ? values : undefined;
  };
}

/** An object with all required keys, any of the optional ones, and no others: nothing that is hashed goes unread. */
export function objectOf<R, O = unknown>(required: Decoders<R>, optional?: Decoders<O>): Decode<R & Partial<O>> {
  const needed = Object.keys(required);
  const decoders = new Map<string, Decode<unknown>>(Object.entries({ ...required, ...optional }));
  return (json, at, problems) => {
    if (json.is !== "object") {
      problems.push(`${at}: not an object`);
      return undefined;
    }
    const before = problems.length;
    const values: Record<string, unknown> = {}; // of our own keys only
    for (const { key, value } of json.members) {
      const decode = decoders.get(key);
      if (decode === undefined) problems.push(`${at}: unknown key "${visible(key)}"`);
      else values[key] = decode(value, `${at}.${key}`, problems);
    }
    for (const key of needed) if (!Object.hasOwn(values, key)) problems.push(`${at}.${key}: missing`);
    // Every value came out of the decoder of its key.
    return problems.length === before ? (values as R & Partial<O>) : undefined;
  };
}
