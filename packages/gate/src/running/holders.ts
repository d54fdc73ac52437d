import { readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { basename } from "node:path";

export interface Holder {
  readonly pid: number;
  /** The program that it runs, by its file's name. */
  readonly program: string;
}

/** Other processes that have a ledger open. Undefined where the system does not say; processes of others are not seen. */
export function openedBy(ledger: string): readonly Holder[] | undefined {
  if (process.platform !== "linux") return undefined;
  const files = new Set(filesOf(ledger).map(({ path }) => path));
  const pids = numbersIn("/proc").filter((pid) => pid !== process.pid);
  return pids.filter((pid) => descriptors(pid).some((file) => files.has(file))).map(holderOf);
}

/**
 * Who keeps a ledger from being written: those that hold SQLite's lock for writing. https://sqlite.org/walformat.html#wal_locks
 * Undefined where the system does not say, or says nothing of this file. A file is known by its number alone: for some file
 * systems /proc/locks has another device than stat(2).
 */
export function lockedBy(ledger: string): readonly Holder[] | undefined {
  if (process.platform !== "linux") return undefined;
  const [main, ...besides] = filesOf(ledger);
  const pids = new Set<number>();
  for (const line of (read("/proc/locks") ?? "").split("\n")) {
    const [, kind = "", pid = "", , , inode = "", from = "", to = ""] =
      /^\d+: \S+ +\S+ +(\S+) +(-?\d+) ([0-9a-f]+):([0-9a-f]+):(\d+) (\d+) (\d+|EOF)/.exec(line) ?? [];
    const last = to === "EOF" ? Number.POSITIVE_INFINITY : Number(to);
    const covers = (byte: number) => Number(from) <= byte && byte <= last;
    const isMain = inode === main?.inode && (covers(reservedByte) || covers(pendingByte));
    const isLog = besides.some((one) => one.inode === inode) && covers(logWriteByte);
    if (kind === "WRITE" && (isMain || isLog)) pids.add(Number(pid));
  }
  pids.delete(process.pid);
  return pids.size === 0 ? undefined : [...pids].map(holderOf);
}

/** Bytes of the main file, and of the `-shm` file. */
const pendingByte = 0x4000_0000;
const reservedByte = pendingByte + 1;
const logWriteByte = 120;

/** The ledger's file first, then what SQLite keeps beside it. */
function filesOf(ledger: string): readonly { path: string; inode: string }[] {
  return ["", "-shm", "-wal"].flatMap((end) => {
    const found = statSync(`${ledger}${end}`, { bigint: true, throwIfNoEntry: false });
    return found === undefined ? [] : [{ path: realpathSync.native(`${ledger}${end}`), inode: String(found.ino) }];
  });
}

function descriptors(pid: number): readonly string[] {
  const folder = `/proc/${pid}/fd`;
  return numbersIn(folder).flatMap((fd) => orNothing(() => [readlinkSync(`${folder}/${fd}`)]) ?? []);
}

function holderOf(pid: number): Holder {
  const program = orNothing(() => basename(readlinkSync(`/proc/${pid}/exe`)));
  return { pid, program: program ?? "a process that cannot be looked into" };
}

function numbersIn(folder: string): readonly number[] {
  return (orNothing(() => readdirSync(folder)) ?? []).filter((name) => /^[0-9]+$/.test(name)).map(Number);
}

function read(path: string): string | undefined {
  return orNothing(() => readFileSync(path, "utf8"));
}

/** A process may end while it is looked at, and those of others are closed to us. */
function orNothing<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ESRCH" || code === "EACCES" || code === "EPERM") return undefined;
    throw error;
  }
}
