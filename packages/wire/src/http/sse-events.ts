/** One event of a stream, as far as it is known when it ends (WHATWG HTML, 9.2.6). */
export interface SseEvent {
  /** `message` where the stream names none. */
  readonly event: string;
  /** Its data, with LF between its lines. */
  readonly data: Buffer;
  /** The last id that the stream has named; empty where there is none. */
  readonly id: string;
}

export interface SseListener {
  readonly event: (event: SseEvent) => void;
  /** An id came without data. Events without data are none otherwise. */
  readonly primed?: (id: string) => void;
  /** An event grew beyond what is read: its beginning and its end. The rest of it is passed over. */
  readonly tooLong: (ends: Buffer) => void;
  /** Milliseconds until the client may connect again. */
  readonly retry: (milliseconds: number) => void;
  /**
   * The data of one event have grown longer than `held`. What is returned takes all of them as they come, from the first
   * byte on and without a bound; undefined: they are held like any other.
   */
  readonly large?: () => SseData | undefined;
}

/** Takes the data of one event, with LF between its lines. */
export interface SseData {
  readonly push: (bytes: Buffer) => void;
  /** Without an event, the data were not all, or not those of a message. */
  readonly end: (event?: Omit<SseEvent, "data">) => void;
}

/**
 * Reads `text/event-stream` from bytes, in whatever pieces they come. Lines end at LF, CR or both; a byte order mark at the
 * start is no part of the first line; an event that no blank line ends is none. Whoever sends it may be hostile: no line and
 * no event is held that is longer than `most` bytes.
 */
export class SseReader {
  readonly #most: number;
  readonly #held: number;
  readonly #listener: SseListener;
  #line: Buffer[] = [];
  #lineLength = 0;
  #afterCr = false;
  #atStart = true;
  #data: Buffer[] = [];
  #dataLength = 0;
  /** The last bytes of an event that has grown too long. */
  #tail: Buffer | undefined;
  /** Takes the data of this event. */
  #to: SseData | undefined;
  /** Whether somebody was asked to take the data of this event. */
  #asked = false;
  /** Whether the line that is being read is data, and its beginning has been passed on. */
  #passing = false;
  /** Whether it is known not to be data. */
  #other = false;
  #event = "";
  #id = "";
  /** Whether this event names an id. */
  #named = false;

  constructor(most: number, listener: SseListener, held = most) {
    this.#most = most;
    this.#held = held;
    this.#listener = listener;
  }

  /** The stream is over. An event that no blank line ended is none. */
  end(): void {
    const to = this.#to;
    this.#to = undefined;
    to?.end();
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte !== lf && byte !== cr) {
        // Most of a stream is long lines: go to the next end of one at once.
        const next = nextEnd(chunk, at);
        this.#afterCr = false;
        at = next - 1;
        continue;
      }
      if (byte === lf && this.#afterCr) {
        this.#afterCr = false;
        from = at + 1;
        continue;
      }
      this.#add(chunk.subarray(from, at));
      this.#endLine();
      this.#afterCr = byte === cr;
      from = at + 1;
    }
    if (from < chunk.length) this.#add(chunk.subarray(from));
  }

  #add(bytes: Buffer): void {
    if (bytes.length === 0) return;
    if (this.#tail !== undefined) {
      this.#tail = Buffer.concat([this.#tail, bytes]).subarray(-ends);
      this.#lineLength += bytes.length;
      return;
    }
    this.#lineLength += bytes.length;
    if (this.#passing) {
      this.#to?.push(bytes);
      return;
    }
    this.#line.push(bytes);
    if (this.#to !== undefined || this.#lineLength + this.#dataLength > this.#held) this.#pass();
    if (!this.#passing && this.#lineLength + this.#dataLength > this.#most) this.#overflow();
  }

  /** Passes on what is there of the data, if somebody takes them as they come and the line that is being read is of them. */
  #pass(): void {
    if (this.#lineLength <= dataName.length || this.#other || (this.#to === undefined && this.#asked)) return;
    const line = Buffer.concat(this.#line);
    this.#line = [line];
    const start = this.#atStart && line.subarray(0, 3).equals(byteOrderMark) ? 3 : 0;
    const value = start + dataName.length;
    if (line.length <= value) return;
    this.#other = !line.subarray(start, value).equals(dataName);
    if (this.#other || !this.#begin()) return;
    const to = this.#to;
    if (this.#data.length > 0) to?.push(lineEnd);
    this.#data = [none];
    this.#line = [];
    this.#passing = true;
    const rest = line.subarray(line[value] === 0x20 ? value + 1 : value);
    if (rest.length > 0) to?.push(rest);
  }

  /** Whether somebody takes the data of this event as they come. What is there of whole lines is passed on. */
  #begin(): boolean {
    if (this.#to !== undefined) return true;
    if (this.#asked) return false;
    this.#asked = true;
    this.#to = this.#listener.large?.();
    if (this.#to === undefined) return false;
    for (const piece of this.#data) this.#to.push(piece);
    this.#dataLength = 0;
    if (this.#data.length > 0) this.#data = [none];
    return true;
  }

  #overflow(): void {
    this.end();
    const all = Buffer.concat([...this.#data, ...this.#line]);
    this.#data = [Buffer.from(all.subarray(0, ends))];
    this.#tail = Buffer.from(all.subarray(-ends));
    this.#line = [];
    this.#dataLength = 0;
  }

  #endLine(): void {
    const length = this.#lineLength;
    let line = this.#line.length === 1 ? (this.#line[0] ?? none) : Buffer.concat(this.#line);
    this.#line = [];
    this.#lineLength = 0;
    const atStart = this.#atStart;
    this.#atStart = false;
    this.#other = false;
    if (this.#passing) {
      this.#passing = false;
      return;
    }
    if (atStart && line.subarray(0, 3).equals(byteOrderMark)) line = line.subarray(3);
    if (this.#tail !== undefined) {
      if (length === 0) this.#endEvent();
      return;
    }
    if (line.length === 0) {
      this.#endEvent();
      return;
    }
    const colon = line.indexOf(0x3a);
    if (colon === 0) return; // a comment
    const name = line.toString("latin1", 0, colon === -1 ? line.length : colon);
    const value = colon === -1 ? none : line.subarray(line[colon + 1] === 0x20 ? colon + 2 : colon + 1);
    switch (name) {
      case "data":
        if (this.#to !== undefined) {
          if (this.#data.length > 0) this.#to.push(lineEnd);
          if (value.length > 0) this.#to.push(value);
          this.#data = [none];
          return;
        }
        if (this.#data.length > 0) this.#data.push(lineEnd);
        this.#data.push(value);
        this.#dataLength += value.length + 1;
        if (this.#dataLength > this.#held) this.#begin();
        return;
      case "event":
        this.#event = value.toString("utf8", 0, mostOfAName);
        return;
      case "id":
        // 9.2.6: an id that holds NUL is none.
        if (value.includes(0) || value.length > mostOfAName) return;
        this.#id = value.toString("utf8");
        this.#named = true;
        return;
      case "retry":
        if (/^[0-9]{1,9}$/.test(value.toString("latin1"))) this.#listener.retry(Number(value.toString("latin1")));
        return;
    }
  }

  #endEvent(): void {
    const [data, tail, to, named, id] = [this.#data, this.#tail, this.#to, this.#named, this.#id];
    const event = this.#event === "" ? "message" : this.#event;
    this.#data = [];
    this.#dataLength = 0;
    this.#tail = undefined;
    this.#to = undefined;
    this.#asked = false;
    this.#named = false;
    this.#event = "";
    if (tail !== undefined) this.#listener.tooLong(Buffer.concat([...data, tail]));
    else if (to !== undefined) to.end({ event, id });
    // Without a data line there is no event, though its id counts.
    else if (data.length > 0) this.#listener.event({ event, data: Buffer.concat(data), id });
    else if (named) this.#listener.primed?.(id);
  }
}

function nextEnd(chunk: Buffer, from: number): number {
  const atLf = chunk.indexOf(lf, from);
  const end = atLf === -1 ? chunk.length : atLf;
  const atCr = chunk.subarray(from, end).indexOf(cr);
  return atCr === -1 ? end : from + atCr;
}

const lf = 0x0a;
const cr = 0x0d;
const none = Buffer.alloc(0);
const dataName = Buffer.from("data:");
const byteOrderMark = Buffer.from("\uFEFF");
const lineEnd = Buffer.from("\n");
const ends = 4096;
/** Bytes of an event's name or id. */
const mostOfAName = 1_024;
