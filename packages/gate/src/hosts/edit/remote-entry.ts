import type { HostId } from "../host-id.ts";
import { commandIn } from "./command-in.ts";
import { type Located, type LocatedMember, type LocatedObject, memberNamed } from "./located.ts";
import type { Spelling } from "./spelling.ts";
import { removeMember, replaceMember, type Splice, spliced } from "./splice.ts";
import type { Guard } from "./wrap-entry.ts";

/** A server at a URL, as an entry says it. */
export interface RemoteSaid {
  readonly url: string;
  readonly headers: ReadonlyMap<string, string>;
}

export interface RemoteWrapping {
  readonly guard: Guard;
  /** What follows it: `--url`, `--header` and so on. */
  readonly words: readonly string[];
  /** Variables of the entry, which hold what no command line should. */
  readonly env: ReadonlyMap<string, string>;
}

/** What an entry lost when the gate was put before its URL. */
export interface WasRemote {
  /** The entry as it was spelled, and as it was then. */
  readonly source: string;
  readonly wrapped: string;
  readonly urlKey: string;
  readonly headersKey: string;
  readonly type?: string;
}

/** How a host spells an entry that starts a command. */
interface Style {
  readonly command: string;
  /** Absent: the command is a list of all words. */
  readonly args?: string;
  readonly env: string;
  readonly type: string;
}

const plain: Style = { command: "command", args: "args", env: "env", type: "stdio" };
const ofGoose: Style = { command: "cmd", args: "args", env: "envs", type: "stdio" };
/** Of OpenCode, and of what follows it: its types are `remote` and `local`. */
const ofOpenCode: Style = { command: "command", env: "environment", type: "local" };

const urlKeys = ["url", "serverUrl", "httpUrl", "uri"];
const headerKeys = ["headers", "http_headers"];

/** Members that say more of how a URL is reached, and that no command takes: what is lost with them would not be noticed. */
const telling = /auth|token|bearer|credential|env_http|headersHelper|cert|proxy|requestInit|eventSource/i;

interface RemoteIn {
  readonly entry: LocatedObject;
  readonly url: LocatedMember;
  readonly headers: LocatedMember | undefined;
  readonly type: LocatedMember | undefined;
}

function remoteIn(entry: Located): RemoteIn | undefined {
  if (entry.is !== "object" || commandIn(entry) !== undefined) return undefined;
  const urls = urlKeys.flatMap((key) => memberNamed(entry, key) ?? []);
  const [url] = urls;
  if (url === undefined || urls.length > 1 || url.value.is !== "scalar") return undefined;
  const taken = ["command", "cmd", "args", "env", "envs", "environment", "transport"];
  if (entry.members.some(({ key }) => telling.test(key) || taken.includes(key))) return undefined;
  const headers = headerKeys.flatMap((key) => memberNamed(entry, key) ?? []);
  if (headers.length > 1) return undefined;
  return { entry, url, headers: headers[0], type: memberNamed(entry, "type") };
}

/** Puts the guard, and what it needs to reach the server, in the place of a URL and its headers. */
export function wrapRemote(
  host: HostId,
  text: string,
  located: Located,
  { guard: [program, ...guard], words, env }: RemoteWrapping,
  spelling: Spelling,
): readonly Splice[] | undefined {
  const found = remoteIn(located);
  if (found === undefined) return undefined;
  const { entry, url, headers, type } = found;
  const isOpenCodes = type?.value.is === "scalar" && type.value.value === "remote";
  const style = isOpenCodes ? ofOpenCode : host === "goose" ? ofGoose : plain;
  const list = (all: readonly string[]) => `[${all.map(spelling.string).join(", ")}]`;
  const command =
    style.args === undefined
      ? [{ key: style.command, source: list([program, ...guard, ...words]) }]
      : [
          { key: style.command, source: spelling.string(program) },
          { key: style.args, source: list([...guard, ...words]) },
        ];
  const variables = env.size === 0 ? [] : [{ key: style.env, source: objectOf(env, spelling) }];
  const splices: (Splice | undefined)[] = [
    replaceMember(text, entry, url, headers === undefined ? [...command, ...variables] : command, spelling),
  ];
  if (type !== undefined) splices.push(newValue(type, style.type, spelling));
  if (headers !== undefined)
    splices.push(
      variables.length === 0
        ? removeMember(text, entry, headers, spelling)
        : replaceMember(text, entry, headers, variables, spelling),
    );
  return splices.every((one) => one !== undefined) ? splices : undefined;
}

/** What has to be remembered of an entry that such splices change. */
export function wasRemote(text: string, located: Located, splices: readonly Splice[]): WasRemote | undefined {
  const found = remoteIn(located);
  if (found === undefined) return undefined;
  const { url, headers, type } = found;
  const { start, end } = spanOf(located);
  const source = text.slice(start, end);
  const within = splices.map((one) => ({ ...one, start: one.start - start, end: one.end - start }));
  return {
    source,
    wrapped: spliced(source, within),
    urlKey: url.key,
    headersKey: headers?.key ?? "headers",
    ...(type?.value.is === "scalar" && type.value.value !== undefined ? { type: type.value.value } : {}),
  };
}

/** Gives an entry back its URL and its headers: to the byte, where nobody has changed it since. */
export function unwrapRemote(
  text: string,
  located: Located,
  { behind, transport, was }: { readonly behind: RemoteSaid; readonly transport: string; readonly was?: WasRemote },
  spelling: Spelling,
): readonly Splice[] | undefined {
  const { start, end } = spanOf(located);
  if (was !== undefined && text.slice(start, end) === was.wrapped) return [{ start, end, text: was.source }];
  const found = commandIn(located);
  if (found === undefined || located.is !== "object" || found.holder !== located) return undefined;
  const env = ["env", "envs", "environment"].flatMap((key) => memberNamed(located, key) ?? []);
  if (env.length > 1 || env.some(({ value }) => !holdsOurs(value))) return undefined;
  const headersKey = was?.headersKey ?? "headers";
  const headers = behind.headers.size === 0 ? [] : [{ key: headersKey, source: objectOf(behind.headers, spelling) }];
  const url = { key: was?.urlKey ?? "url", source: spelling.string(behind.url) };
  const args = found.args?.member;
  const gone = [...env, ...(args === undefined ? [] : [args])];
  // In the place of the first of what goes: two neighbours cannot both be cut out.
  const instead = headers.length === 0 ? undefined : gone[0];
  const splices: (Splice | undefined)[] = [
    replaceMember(text, located, found.command, instead === undefined ? [url, ...headers] : [url], spelling),
    ...(instead === undefined ? [] : [replaceMember(text, located, instead, headers, spelling)]),
    ...gone.filter((member) => member !== instead).map((member) => removeMember(text, located, member, spelling)),
  ];
  const type = memberNamed(located, "type");
  if (type !== undefined) splices.push(newValue(type, was?.type ?? typeBy(type, transport), spelling));
  return splices.every((one) => one !== undefined) ? splices : undefined;
}

/** A table of TOML is wherever its members are. */
function spanOf(located: Located): { readonly start: number; readonly end: number } {
  if (located.is !== "object" || located.end > located.start) return located;
  const starts = located.members.map(({ start }) => start);
  const ends = located.members.map(({ value }) => value.end);
  return { start: Math.min(...starts), end: Math.max(...ends) };
}

function typeBy({ value }: LocatedMember, transport: string): string {
  if (value.is === "scalar" && value.value === "local") return "remote";
  return transport === "sse" ? "sse" : "http";
}

function holdsOurs(value: Located): boolean {
  return value.is === "object" && value.members.every(({ key }) => key.startsWith(ourVariables));
}

/** How the variables begin that hold a header's value. */
export const ourVariables = "COUNTERSIGN_HEADER_";

function newValue({ value }: LocatedMember, text: string, spelling: Spelling): Splice | undefined {
  return value.is === "scalar" ? { start: value.start, end: value.end, text: spelling.string(text) } : undefined;
}

function objectOf(map: ReadonlyMap<string, string>, spelling: Spelling): string {
  const members = [...map].map(
    ([key, value]) => `${spelling.quotedKey(key)}${spelling.colon}${spelling.string(value)}`,
  );
  return `{ ${members.join(", ")} }`;
}
