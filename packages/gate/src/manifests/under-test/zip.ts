import { crc32, deflateRawSync } from "node:zlib";

/** One file of an archive that is made byte by byte; what is said twice may be said differently. */
export interface Packed {
  readonly name: string | Buffer;
  readonly content: string | Buffer;
  readonly deflate?: boolean;
  readonly mode?: number;
  readonly flags?: number;
  readonly method?: number;
  /** As its own header has it, where that is not what the directory says. */
  readonly local?: { readonly name?: string; readonly size?: number; readonly method?: number; readonly crc?: number };
  /** As the directory has it. */
  readonly directory?: {
    readonly size?: number;
    readonly crc?: number;
    readonly offset?: number;
    readonly extra?: Buffer;
  };
}

/** APPNOTE.TXT 4.3: headers with their data, the directory, and where that begins. */
export function zipOf(files: readonly Packed[], comment = Buffer.alloc(0)): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const one of files) {
    const content = Buffer.from(one.content as string);
    const data = one.deflate ? deflateRawSync(content) : content;
    const method = one.method ?? (one.deflate ? 8 : 0);
    const crc = crc32(content);
    const name = Buffer.from(one.name as string);
    const localName = one.local?.name === undefined ? name : Buffer.from(one.local.name);
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(20, 4);
    header.writeUInt16LE(one.flags ?? 0, 6);
    header.writeUInt16LE(one.local?.method ?? method, 8);
    header.writeUInt32LE(one.local?.crc ?? crc, 14);
    header.writeUInt32LE(data.length, 18);
    header.writeUInt32LE(one.local?.size ?? content.length, 22);
    header.writeUInt16LE(localName.length, 26);
    const extra = one.directory?.extra ?? Buffer.alloc(0);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE((3 << 8) | 20, 4);
    entry.writeUInt16LE(20, 6);
    entry.writeUInt16LE(one.flags ?? 0, 8);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(one.directory?.crc ?? crc, 16);
    entry.writeUInt32LE(data.length, 20);
    entry.writeUInt32LE(one.directory?.size ?? content.length, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt16LE(extra.length, 30);
    entry.writeUInt32LE(((one.mode ?? 0o100644) << 16) >>> 0, 38);
    entry.writeUInt32LE(one.directory?.offset ?? offset, 42);
    directory.push(entry, name, extra);
    parts.push(header, localName, data);
    offset += header.length + localName.length + data.length;
  }
  const all = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(all.length, 12);
  end.writeUInt32LE(offset, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...parts, all, end, comment]);
}
