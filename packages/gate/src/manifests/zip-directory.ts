import { type Entry, fromBuffer } from "yauzl";
import { type Outcome, read, refused } from "./manifest-problem.ts";

/** One entry as the directory at the end of an archive has it. */
export interface Central {
  readonly name: Buffer;
  /** Of its own header, in the archive. */
  readonly offset: number;
  readonly flags: number;
  readonly method: number;
  readonly compressed: number;
  readonly size: number;
  readonly crc: number;
  readonly attributes: number;
  /** Whether it has another name in an extra field, which some readers prefer. */
  readonly renamed: boolean;
}

export function readCentral(bytes: Buffer, most: number): Promise<Outcome<readonly Central[]>> {
  const { promise, resolve } = Promise.withResolvers<Outcome<readonly Central[]>>();
  const broken = (error: Error) => resolve(refused("NO_ZIP", undefined, error.message));
  fromBuffer(bytes, { lazyEntries: true, decodeStrings: false, validateEntrySizes: true }, (error, zip) => {
    if (error !== null) return broken(error);
    const entries: Central[] = [];
    zip.on("error", broken);
    zip.on("end", () => resolve(read(entries)));
    zip.on("entry", (entry: Entry) => {
      entries.push(centralOf(entry));
      if (entries.length > most) resolve(refused("TOO_MANY_FILES"));
      else zip.readEntry();
    });
    zip.readEntry();
  });
  return promise;
}

/** With `decodeStrings` off, yauzl leaves the name as the bytes that it is; its types do not say so. */
function centralOf(entry: Entry): Central {
  return {
    name: entry.fileName as unknown as Buffer,
    offset: entry.relativeOffsetOfLocalHeader,
    flags: entry.generalPurposeBitFlag,
    method: entry.compressionMethod,
    compressed: entry.compressedSize,
    size: entry.uncompressedSize,
    crc: entry.crc32,
    attributes: entry.externalFileAttributes,
    renamed: entry.extraFields.some(({ id }) => id === unicodePath),
  };
}

/** Info-ZIP's "Unicode Path Extra Field". */
const unicodePath = 0x7075;
