import { canonicalize, type Json } from "@countersign/core";
import { types } from "../schema/is-well-formed.ts";
import { compareDecimals, type Decimal, decimalOf, isInteger, isMultiple } from "./decimal.ts";
import type { Frame, Keyword } from "./keyword.ts";

const type: Keyword = (frame, argument, keyword) => {
  const wanted = argument.is === "array" ? argument.items : [argument];
  let holds = false;
  for (const one of wanted) {
    if (one.is !== "string" || !types.has(one.value)) return frame.run.unsupported(frame, keyword, "malformed");
    holds ||= isOfType(frame.value, one.value);
  }
  return holds || frame.run.fail(frame, keyword);
};

function isOfType(value: Json, wanted: string): boolean {
  if (wanted !== "integer") return value.is === wanted;
  return value.is === "number" && isInteger(decimalOf(value.token));
}

const enumeration: Keyword = (frame, argument, keyword) => {
  if (argument.is !== "array") return frame.run.unsupported(frame, keyword, "malformed");
  return argument.items.some((item) => isEqual(frame, item)) || frame.run.fail(frame, keyword);
};

const constant: Keyword = (frame, argument, keyword) => isEqual(frame, argument) || frame.run.fail(frame, keyword);

/** Two JSON values are equal where their canonical forms are: numbers exactly, objects in any order. */
function isEqual(frame: Frame, wanted: Json): boolean {
  const { value } = frame;
  frame.run.step(frame, 1);
  if (value.is !== wanted.is) return false;
  if (value.is === "string" && wanted.is === "string") return value.value === wanted.value;
  frame.run.step(frame, (value.end - value.start + wanted.end - wanted.start) >> 4);
  return canonicalize(value) === canonicalize(wanted);
}

/** `holds` is given the value and the bound. */
function bounded(holds: (value: Decimal, bound: Decimal) => boolean): Keyword {
  return (frame, argument, keyword) => {
    if (argument.is !== "number") return frame.run.unsupported(frame, keyword, "malformed");
    if (frame.value.is !== "number") return true;
    return holds(decimalOf(frame.value.token), decimalOf(argument.token)) || frame.run.fail(frame, keyword);
  };
}

const minimum = bounded((value, bound) => compareDecimals(value, bound) >= 0);
const maximum = bounded((value, bound) => compareDecimals(value, bound) <= 0);
const above = bounded((value, bound) => compareDecimals(value, bound) > 0);
const below = bounded((value, bound) => compareDecimals(value, bound) < 0);

/** In draft-04 it is a boolean, which says whether the bound itself is left out. */
function exclusive(bound: "minimum" | "maximum", strict: Keyword): Keyword {
  return (frame, argument, keyword) => {
    if (frame.dialect !== "draft-04") return strict(frame, argument, keyword);
    if (argument.is !== "boolean") return frame.run.unsupported(frame, keyword, "malformed");
    const limit = frame.keywords.get(bound);
    return !argument.value || limit === undefined || strict(frame, limit, keyword);
  };
}

const multipleOf: Keyword = (frame, argument, keyword) => {
  const divisor = argument.is === "number" ? decimalOf(argument.token) : undefined;
  if (argument.is !== "number" || divisor === undefined || divisor.digits === "" || divisor.minus) {
    return frame.run.unsupported(frame, keyword, "malformed");
  }
  const { value } = frame;
  if (value.is !== "number") return true;
  // The exponent's digits are squarings of a number as long as the divisor.
  frame.run.step(frame, (value.token.length + argument.token.length) * argument.token.length);
  return isMultiple(decimalOf(value.token), divisor) || frame.run.fail(frame, keyword);
};

const minLength = measured(lengthOf, (length, bound) => length >= bound);
const maxLength = measured(lengthOf, (length, bound) => length <= bound);

/** Characters are code points. */
function lengthOf({ run, value, ...frame }: Frame): number | undefined {
  if (value.is !== "string") return undefined;
  run.step({ run, value, ...frame }, value.value.length >> 5);
  let length = 0;
  for (let at = 0; at < value.value.length; at++, length++) {
    if ((value.value.charCodeAt(at) & 0xfc00) === 0xd800) at++;
  }
  return length;
}

/** A keyword that counts something, and is about nothing else. */
export function measured(
  count: (frame: Frame) => number | undefined,
  holds: (count: number, bound: number) => boolean,
): Keyword {
  return (frame, argument, keyword) => {
    const bound = countOf(argument);
    if (bound === undefined) return frame.run.unsupported(frame, keyword, "malformed");
    const counted = count(frame);
    return counted === undefined || holds(counted, bound) || frame.run.fail(frame, keyword);
  };
}

/** Counts are far below the integers that a double holds exactly; a larger bound is as good as the largest of them. */
export function countOf(argument: Json): number | undefined {
  if (argument.is !== "number") return undefined;
  const decimal = decimalOf(argument.token);
  return isInteger(decimal) && !decimal.minus ? Math.min(Number(argument.token), Number.MAX_SAFE_INTEGER) : undefined;
}

const pattern: Keyword = (frame, argument, keyword) => {
  if (argument.is !== "string") return frame.run.unsupported(frame, keyword, "malformed");
  if (frame.value.is !== "string") return true;
  return (
    frame.run.matches(frame, keyword, argument, frame.value.value, argument.value) || frame.run.fail(frame, keyword)
  );
};

export const valueKeywords: readonly (readonly [string, Keyword])[] = [
  ["type", type],
  ["enum", enumeration],
  ["const", constant],
  ["minimum", minimum],
  ["maximum", maximum],
  ["exclusiveMinimum", exclusive("minimum", above)],
  ["exclusiveMaximum", exclusive("maximum", below)],
  ["multipleOf", multipleOf],
  ["minLength", minLength],
  ["maxLength", maxLength],
  ["pattern", pattern],
];
