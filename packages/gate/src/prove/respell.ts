import { same } from "./carriers.ts";
import { pick } from "./random.ts";
import { escaped, type Spot, unitsOf } from "./spot.ts";

/** What is written differently; the rest is copied. */
export interface Spelling {
  readonly name: string;
  readonly order?: true;
  readonly space?: true;
  readonly escapes?: true;
  readonly numbers?: true;
}

export const spellings: readonly Spelling[] = [
  { name: "key-order", order: true },
  { name: "white-space", space: true },
  { name: "escapes", escapes: true },
  { name: "numbers", numbers: true },
  { name: "all", order: true, space: true, escapes: true, numbers: true },
];

/**
 * The value at `spot` of `text`, spelled differently. The same as before where there is nothing to spell differently.
 *
 * @throws Error where the value has changed: the proof itself is wrong
 */
export function respell(text: string, spot: Spot, spelling: Spelling, random: () => number): string {
  const respelled = write(spot, { text, spelling, random });
  if (!same(JSON.parse(respelled), JSON.parse(text.slice(spot.start, spot.end)))) {
    throw new Error(`the respelling "${spelling.name}" changed a value`);
  }
  return respelled;
}

interface Writing {
  readonly text: string;
  readonly spelling: Spelling;
  readonly random: () => number;
}

/** A piece of a container: where it was, and what to write. */
interface Part {
  readonly start: number;
  readonly end: number;
  readonly write: () => string;
}

function write(spot: Spot, writing: Writing): string {
  const { text, spelling, random } = writing;
  switch (spot.is) {
    case "leaf": {
      const token = text.slice(spot.start, spot.end);
      if (token.startsWith('"')) return writeString(token, writing);
      return spelling.numbers && /^[-0-9]/.test(token) ? respelledNumber(token, random) : token;
    }
    case "array": {
      const parts = spot.items.map(
        (item): Part => ({ start: item.start, end: item.end, write: () => write(item, writing) }),
      );
      return writeParts(spot, parts, parts, writing);
    }
    case "object": {
      const parts = [...spot.members.values()].map(
        (member): Part => ({
          start: member.start,
          end: member.value.end,
          write: () =>
            writeString(text.slice(member.start, member.end), writing) +
            between(text.slice(member.end, member.value.start), writing) +
            write(member.value, writing),
        }),
      );
      return writeParts(spot, parts, spelling.order ? shuffled(parts, random) : parts, writing);
    }
  }
}

/** The parts in another order, with what stood between them left where it was. */
function writeParts(spot: Spot, slots: readonly Part[], parts: readonly Part[], writing: Writing): string {
  let at = spot.start;
  let written = "";
  for (const [index, slot] of slots.entries()) {
    written += between(writing.text.slice(at, slot.start), writing) + (parts[index]?.write() ?? "");
    at = slot.end;
  }
  return written + between(writing.text.slice(at, spot.end), writing);
}

/** What stands between two values: brackets, commas, colons and white space. */
function between(gap: string, { spelling, random }: Writing): string {
  if (!spelling.space) return gap;
  const blank = () => pick(["", " ", "\n", "\r\n  ", "\t"], random);
  return gap.replace(/[[\]{},:]/g, (mark) => blank() + mark + blank());
}

function shuffled<T>(parts: readonly T[], random: () => number): readonly T[] {
  const order = [...parts];
  for (let last = order.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [order[last], order[other]] = [order[other] as T, order[last] as T];
  }
  return order.every((part, index) => part === parts[index]) ? order.reverse() : order;
}

function writeString(literal: string, { spelling, random }: Writing): string {
  if (!spelling.escapes) return literal;
  const units = unitsOf(literal).map((unit, index) =>
    index === 0 || random() < 0.25 ? respelledUnit(unit, random) : unit,
  );
  return `"${units.join("")}"`;
}

function respelledUnit(unit: string, random: () => number): string {
  if (!unit.startsWith("\\")) {
    if (unit === "/" && random() < 0.5) return "\\/";
    return random() < 0.5 ? escaped(unit) : escaped(unit).replace(/[a-f]/g, (digit) => digit.toUpperCase());
  }
  const plain: string = JSON.parse(`"${unit}"`);
  if (unit.length === 2) return escaped(plain);
  const mayStandBare = plain >= " " && plain !== '"' && plain !== "\\" && plain.isWellFormed();
  return mayStandBare ? plain : `\\u${unit.slice(2).toUpperCase()}`;
}

/** Digits moved about, never computed with, so that nothing is rounded. */
function respelledNumber(token: string, random: () => number): string {
  const [, minus = "", whole = "", fraction = "", power = "0"] =
    /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/.exec(token) ?? [];
  if (power.length > 6) return token;
  const hasPower = /e/i.test(token);
  const digits = (whole + fraction).replace(/^0+(?=[0-9])/, "");
  const short = digits.replace(/(?<=[0-9])0+$/, "");
  const exponent = Number(power) - fraction.length + digits.length - short.length;
  const scientific = `${minus}${short}E${exponent}`;
  const pointed = `${minus}${short.charAt(0)}.${short.slice(1)}0e${exponent + short.length - 1}`;
  const others = hasPower
    ? [scientific, pointed]
    : [fraction === "" ? `${token}.0` : `${token}0`, `${token}e0`, `${token}E+00`, scientific, pointed];
  const different = others.filter((other) => other !== token);
  return different.length === 0 ? token : pick(different, random);
}
