import { memberOf } from "@countersign/core";
import { comparePaths, fileAt, filesText, type TreeFile } from "./file-tree.ts";
import { claims, type Manifest, type ManifestNote, remainder } from "./format.ts";
import { readObject } from "./json-manifest.ts";
import { type Outcome, read, refused } from "./manifest-problem.ts";
import { type Archive, readZip } from "./read-zip.ts";
import { entriesOf, member, nameIn, objectOf, type Said, without } from "./said.ts";

/** An MCP bundle, manifest 0.1 to 0.4: `.mcpb`, once `.dxt`. What it lists is a claim; what its server offers decides. */
export async function readMcpb(bytes: Buffer): Promise<Outcome<Manifest>> {
  const { archive, signature } = withoutSignature(bytes);
  const zip = await readZip(archive);
  if (zip.is === "refused") return zip;
  return manifestOf(zip.value, signature);
}

function manifestOf(archive: Archive, signature: Buffer | undefined): Outcome<Manifest> {
  const file = fileAt({ ...archive, links: [] }, "manifest.json");
  if (file === undefined) return refused("NO_MANIFEST", "manifest.json");
  const object = readObject(file);
  if (object.is === "refused") return object;
  const { json, text } = object.value;
  const notes: ManifestNote[] = [];
  if (signature !== undefined) notes.push({ code: "SIGNATURE_NOT_CHECKED" });
  for (const what of ["tools", "prompts"] as const) {
    const generated = memberOf(json, `${what}_generated`);
    if (generated?.is === "boolean" && generated.value) notes.push({ code: "LIST_INCOMPLETE", what });
  }
  const others = archive.files.filter((one) => one !== file);
  const said: Said[] = [
    ...claims("tool", entriesOf(memberOf(json, "tools"), text, "name")),
    ...claims("prompt", entriesOf(memberOf(json, "prompts"), text, "name")),
    remainder(
      without(
        ["tools", "prompts"].filter((key) => isEntries(memberOf(json, key)?.is)),
        json,
        text,
      ),
    ),
    ...others.filter(isLocale).map(localeOf),
    {
      kind: "claim",
      name: "files",
      text: objectOf([
        member(
          "files",
          filesText({ files: [...others].sort(comparePaths), links: [] }, () => false),
        ),
      ]),
    },
  ];
  return read({ format: "mcpb", name: nameIn(memberOf(json, "name"), text), said, notes });
}

function isEntries(is: string | undefined): boolean {
  return is === "array" || is === "object";
}

/** Texts of the manifest in another language: files of JSON that are named for a language, wherever `localization` puts them. */
function isLocale({ path }: TreeFile): boolean {
  return /(?:^|\/)[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*\.json$/.test(path);
}

function localeOf(file: TreeFile): Said {
  const object = readObject(file);
  const text = object.is === "read" ? object.value.text : filesText({ files: [file], links: [] }, () => true);
  return { kind: "claim", name: `file:${file.path}`, text };
}

const begin = Buffer.from("MCPB_SIG_V1");
const end = Buffer.from("MCPB_SIG_END");

/** A PKCS#7 signature stands behind the archive, between two marks. */
function withoutSignature(bytes: Buffer): { readonly archive: Buffer; readonly signature: Buffer | undefined } {
  if (!bytes.subarray(-end.length).equals(end)) return { archive: bytes, signature: undefined };
  const from = bytes.lastIndexOf(begin);
  if (from === -1) return { archive: bytes, signature: undefined };
  const archive = Buffer.from(bytes.subarray(0, from));
  // Newer signers count the signature as the archive's comment, so that strict readers find its end.
  const last = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (last !== -1 && last + 22 === archive.length) archive.writeUInt16LE(0, last + 20);
  return { archive, signature: bytes.subarray(from + begin.length, -end.length) };
}
