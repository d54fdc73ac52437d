import type { Said } from "../config.ts";
import { type MaxAge, maxAgeIn } from "../max-age.ts";

/** A setting that a project's config asks for, and that the user has stricter. */
export interface Loosening {
  /** The keys that lead to it, within what a config says of one server. */
  readonly at: readonly string[];
  readonly value: unknown;
}

interface Tightened<T> {
  readonly value: T | undefined;
  readonly loosens: readonly Loosening[];
}

type Direction<T> = (user: T | undefined, project: T | undefined) => Tightened<T>;

type Directions<T> = { readonly [K in keyof Required<T>]: Direction<NonNullable<T[K]>> };

/** A setting without a direction does not compile. */
const directions: Directions<Said> = {
  trusted: strictestFirst(false, true),
  mode: strictestFirst<NonNullable<Said["mode"]>>("enforce", "observe"),
  firstSight: strictestFirst<NonNullable<Said["firstSight"]>>("quarantine", "approve-clean"),
  strict: strictestFirst(true, false),
  // A rule that the user says nothing of has effects of its own, case by case, up to "refuse".
  severities: ofEach<NonNullable<Said["severities"]>>(strictestFirst("refuse", undefined, "ask", "note", "off")),
  // Under `frozen` a definition stays bound where it would be withheld otherwise.
  prose: strictestFirst<NonNullable<Said["prose"]>>("stripped", undefined, "as-sent", "frozen"),
  close: strictestFirst(true, undefined, false),
  fence: strictestFirst(true, false),
  only: onlyBoth(),
  undeclared: strictestFirst<NonNullable<Said["undeclared"]>>("refuse", "pass"),
  results: strictestFirst<NonNullable<Said["results"]>>("check", "pass"),
  // A text that is set is one that the model reads.
  definitions: ofEach<NonNullable<Said["definitions"]>>(usersOnly()),
  allow: usersOnly(),
  checkpoints: ofMembers<NonNullable<Said["checkpoints"]>>({
    load: strictestFirst(true, false),
    change: strictestFirst(true, false),
    refetchOnCall: strictestFirst(true, false),
    maxAge: leastAge,
  }),
};

/**
 * What counts where a project's config is not trusted: of every setting the stricter of both.
 *
 * @param user all that counts without the project, defaults too
 */
export const tighten: (user: Said, project: Said) => { readonly value: Said; readonly loosens: readonly Loosening[] } =
  (user, project) => {
    const { value, loosens } = ofMembers<Said>(directions)(user, project);
    return { value: value ?? user, loosens };
  };

/** A value that is not in the order, of either, is not known to be stricter. */
function strictestFirst<T extends string | boolean>(...order: readonly (T | undefined)[]): Direction<T> {
  return (user, project) => {
    if (project === undefined || project === user) return { value: user, loosens: [] };
    const asked = order.indexOf(project);
    if (asked !== -1 && asked < order.indexOf(user)) return { value: project, loosens: [] };
    return { value: user, loosens: [{ at: [], value: project }] };
  };
}

/** Of two lists of what is allowed, what is in both. */
function onlyBoth(): Direction<string[]> {
  return (user, project) => {
    if (project === undefined || user === undefined) return { value: project ?? user, loosens: [] };
    const loosens = project.filter((one) => !user.includes(one)).map((value) => ({ at: [], value }));
    return { value: user.filter((one) => project.includes(one)), loosens };
  };
}

function leastAge(user: MaxAge | undefined, project: MaxAge | undefined): Tightened<MaxAge> {
  if (project === undefined || project === user) return { value: user, loosens: [] };
  const [before, asked] = [user, project].map((one) => (one === undefined ? undefined : maxAgeIn(one)));
  if (asked !== undefined && asked <= (before ?? Number.POSITIVE_INFINITY)) return { value: project, loosens: [] };
  return { value: user, loosens: [{ at: [], value: project }] };
}

/** No project may touch it. */
function usersOnly<T>(): Direction<T> {
  return (user, project) => ({ value: user, loosens: project === undefined ? [] : [{ at: [], value: project }] });
}

function ofMembers<T extends object>(members: Directions<T>): Direction<T> {
  return (user, project) => both(user, project, Object.entries(members) as Member[]);
}

function ofEach<T extends object>(direction: Direction<NonNullable<T[keyof T]>>): Direction<T> {
  return (user, project) =>
    both(
      user,
      project,
      Object.keys(project ?? {}).map((key) => [key, direction as Direction<unknown>]),
    );
}

type Member = readonly [key: string, direction: Direction<unknown>];

function both<T extends object>(user: T | undefined, project: T | undefined, members: readonly Member[]): Tightened<T> {
  const value = new Map<string, unknown>(Object.entries(user ?? {}));
  const loosens: Loosening[] = [];
  const asked = new Map<string, unknown>(Object.entries(project ?? {}));
  for (const [key, direction] of members) {
    const one = direction(value.get(key), asked.get(key));
    value.set(key, one.value);
    for (const { at, value } of one.loosens) loosens.push({ at: [key, ...at], value });
  }
  return { value: Object.fromEntries(value) as T, loosens };
}
