import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { asServerName, type ServerName } from "@countersign/core";
import { z } from "zod";
import { stateFolder } from "../paths.ts";
import { type KeptSignIn, keptSignInSchema, nameOf, type SignInPlace, tokensNameOf } from "./kept-sign-in.ts";
import { type Keychain, systemKeychain } from "./keychain.ts";
import { readOwnFile, writeOwnFile } from "./own-file.ts";
import { SignInError } from "./sign-in-error.ts";

export type Where = "keychain" | "file";

/** What stands in a file of its own, and is no secret: which issuer has signed somebody in, and where the tokens are. */
export interface SignInMark {
  readonly server: ServerName;
  readonly resource: string;
  readonly issuer: string;
  readonly where: Where;
  /** `nameOf` its place. */
  readonly name: string;
}

/** Keeps tokens in the keychain of the system, or in a file that nobody else can read. */
export interface SignInStore {
  read(place: SignInPlace): Promise<KeptSignIn | undefined>;
  /** Changes when what is kept does. Undefined where nothing is. */
  stamp(place: SignInPlace): Promise<string | undefined>;
  write(place: SignInPlace, kept: KeptSignIn): Promise<Where>;
  /** @param name of a mark: `nameOf` its place */
  forget(name: string): Promise<void>;
  marks(): Promise<readonly SignInMark[]>;
  tokens(mark: SignInMark): Promise<KeptSignIn | undefined>;
}

export interface StoreOptions {
  readonly folder?: string;
  readonly keychain?: () => Promise<Keychain | undefined>;
}

export function signInsFolder(): string {
  return join(stateFolder(), "sign-ins");
}

export function openSignInStore({
  folder = signInsFolder(),
  keychain = systemKeychain,
}: StoreOptions = {}): SignInStore {
  const markPath = (name: string) => join(folder, `${name}.json`);
  const tokensPath = (name: string, issuer: string) => join(folder, `${tokensNameOf(name, issuer)}.tokens`);

  async function markOf(name: string): Promise<SignInMark | undefined> {
    const path = markPath(name);
    const text = await readOwnFile(path);
    if (text === undefined) return undefined;
    const parsed = markSchema.safeParse(jsonOf(text));
    const server = parsed.success ? asServerName(parsed.data.server) : undefined;
    if (!parsed.success || server === undefined)
      throw new SignInError({ is: "UNSAFE_FILE", path, because: "NO_RECORD" });
    const { resource, issuer, where } = parsed.data;
    return { server, resource, issuer, where, name };
  }

  async function tokens({ name, issuer, where }: SignInMark): Promise<KeptSignIn | undefined> {
    const text =
      where === "file"
        ? await readOwnFile(tokensPath(name, issuer))
        : await (await needed(keychain)).get(tokensNameOf(name, issuer));
    if (text === undefined) return undefined;
    const parsed = keptSignInSchema.safeParse(jsonOf(text));
    if (!parsed.success || parsed.data.issuer !== issuer)
      throw new SignInError({ is: "UNSAFE_FILE", path: markPath(name), because: "NO_RECORD" });
    return parsed.data;
  }

  async function forget(name: string): Promise<void> {
    const mark = await markOf(name);
    // Who reads the mark looks for the tokens, so it goes first.
    await rm(markPath(name), { force: true });
    if (mark === undefined) return;
    const { issuer, where } = mark;
    await rm(tokensPath(name, issuer), { force: true });
    if (where === "keychain") await (await needed(keychain)).remove(tokensNameOf(name, issuer));
  }

  return {
    tokens,
    forget,
    async read(place) {
      const mark = await markOf(nameOf(place));
      return mark === undefined ? undefined : tokens(mark);
    },
    async stamp(place) {
      try {
        const { ino, mtimeNs, size } = await stat(markPath(nameOf(place)), { bigint: true });
        return `${ino}:${mtimeNs}:${size}`;
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
        throw error;
      }
    },
    async write(place, kept) {
      const name = nameOf(place);
      const { server, resource, issuer } = kept;
      const before = await markOf(name);
      if (before !== undefined && before.issuer !== issuer) await forget(name);
      const text = JSON.stringify(kept);
      const where = (await inKeychain(keychain, tokensNameOf(name, issuer), text)) ? "keychain" : "file";
      if (where === "file") await writeOwnFile(tokensPath(name, issuer), `${text}\n`);
      else await rm(tokensPath(name, issuer), { force: true });
      await writeOwnFile(markPath(name), `${JSON.stringify({ version: 1, server, resource, issuer, where })}\n`);
      return where;
    },
    async marks() {
      const found: SignInMark[] = [];
      for (const file of await namesIn(folder)) {
        const name = /^([A-Za-z0-9._-]+\.[0-9a-f]{32})\.json$/.exec(file)?.[1];
        const mark = name === undefined ? undefined : await markOf(name);
        if (mark !== undefined) found.push(mark);
      }
      return found;
    },
  };
}

const markSchema = z.strictObject({
  version: z.literal(1),
  server: z.string(),
  resource: z.string(),
  issuer: z.string(),
  where: z.enum(["keychain", "file"]),
});

async function needed(keychain: () => Promise<Keychain | undefined>): Promise<Keychain> {
  const chain = await keychain();
  if (chain === undefined) throw new SignInError({ is: "KEYCHAIN", because: "NOT_INSTALLED" });
  return chain;
}

/** Whether the keychain took it, and gives it back: some take what they then do not have. */
async function inKeychain(keychain: () => Promise<Keychain | undefined>, name: string, text: string): Promise<boolean> {
  const chain = await keychain();
  if (chain === undefined) return false;
  try {
    await chain.set(name, text);
    return (await chain.get(name)) === text;
  } catch {
    // Whatever its reason, the file is what there is instead; and it says so.
    return false;
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
