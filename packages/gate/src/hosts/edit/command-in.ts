import { type Located, type LocatedArray, type LocatedMember, type LocatedObject, memberNamed } from "./located.ts";

/** Where an entry says what it starts, in whichever of the hosts' spellings. */
export interface CommandIn {
  /** Keys from the entry to the object that holds the command. */
  readonly within: readonly string[];
  readonly holder: LocatedObject;
  readonly command: LocatedMember;
  readonly args: ArgsIn | undefined;
}

export interface ArgsIn {
  /** Keys from the entry to the object that holds them. */
  readonly within: readonly string[];
  readonly holder: LocatedObject;
  readonly member: LocatedMember;
  readonly list: LocatedArray;
}

/** As `reachOf` reads it: undefined where it is anything that cannot be edited by itself. */
export function commandIn(entry: Located): CommandIn | undefined {
  if (entry.is !== "object") return undefined;
  const nested = saying(entry, ["transport"])?.value;
  const inNested = nested?.is === "object" ? nested : undefined;
  const own = saying(entry, ["command", "cmd"]);
  const told = own ?? (inNested === undefined ? undefined : saying(inNested, ["command", "cmd"]));
  if (told === undefined) return undefined;
  const outer = own === undefined ? ["transport"] : [];
  const around = own === undefined ? inNested : entry;
  const inTold = told.value.is === "object" ? told.value : undefined;
  const command = inTold === undefined ? told : saying(inTold, ["path", "command"]);
  const holder = inTold ?? around;
  if (command === undefined || holder === undefined) return undefined;
  const within = inTold === undefined ? outer : [...outer, told.key];
  const places = [
    { within: [], holder: entry },
    ...(inNested === undefined ? [] : [{ within: ["transport"], holder: inNested }]),
    ...(inTold === undefined ? [] : [{ within, holder: inTold }]),
  ];
  for (const place of places) {
    const member = saying(place.holder, ["args"]);
    if (member === undefined) continue;
    if (member.value.is !== "array") return undefined;
    return { within, holder, command, args: { ...place, member, list: member.value } };
  }
  // A value of its own kind would be a second one of the same name.
  if (memberNamed(holder, "args") !== undefined) return undefined;
  return { within, holder, command, args: undefined };
}

function saying(object: LocatedObject, keys: readonly string[]): LocatedMember | undefined {
  for (const key of keys) {
    const member = memberNamed(object, key);
    // A value that is null is one that is not there.
    if (member !== undefined && !(member.value.is === "scalar" && member.value.isNull)) return member;
  }
  return undefined;
}
