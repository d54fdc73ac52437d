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
  /** An event grew beyond what is read: its beginning and its end. The rest of it is passed over. */
  readonly tooLong: (ends: Buffer) => void;
  /** Milliseconds until the client may connect again. */
  readonly retry: (milliseconds: number) => void;
}

/**
 * Reads `text/event-stream` from bytes, in whatever pieces they come. Lines end at LF, CR or both; a byte order mark at the
 * start is no part of the first line; an event that no blank line ends is none. Whoever sends it may be hostile: no line and
 * no event is held that is longer than `most` bytes.
 */
export class SseReader {
  readonly #most: number;
  readonly #listener: SseListener;
  #line: Buffer[] = [];
  #lineLength = 0;
  #afterCr = false;
  #atStart = true;
  #data: Buffer[] = [];
  #dataLength = 0;
  /** The last bytes of an event that has grown too long. */
  #tail: Buffer | undefined;
  #event = "";
  #id = "";

  constructor(most: number, listener: SseListener) {
    this.#most = most;
    this.#listener = listener;
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
    this.#line.push(bytes);
    this.#lineLength += bytes.length;
    if (this.#lineLength + this.#dataLength > this.#most) this.#overflow();
  }

  #overflow(): void {
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
    if (this.#atStart) {
      this.#atStart = false;
      if (line.length >= 3 && line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf) line = line.subarray(3);
    }
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
        if (this.#data.length > 0) this.#data.push(lineEnd);
        this.#data.push(value);
        this.#dataLength += value.length + 1;
        return;
      case "event":
        this.#event = value.toString("utf8", 0, mostOfAName);
        return;
      case "id":
        // 9.2.6: an id that holds NUL is none.
        if (!value.includes(0) && value.length <= mostOfAName) this.#id = value.toString("utf8");
        return;
      case "retry":
        if (/^[0-9]{1,9}$/.test(value.toString("latin1"))) this.#listener.retry(Number(value.toString("latin1")));
        return;
    }
  }

  #endEvent(): void {
    const [data, tail, event] = [this.#data, this.#tail, this.#event];
    this.#data = [];
    this.#dataLength = 0;
    this.#tail = undefined;
    this.#event = "";
    if (tail !== undefined) this.#listener.tooLong(Buffer.concat([...data, tail]));
    // Without a data line there is no event, though its id counts.
    else if (data.length > 0)
      this.#listener.event({ event: event === "" ? "message" : event, data: Buffer.concat(data), id: this.#id });
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
const lineEnd = Buffer.from("\n");
const ends = 4096;
/** Bytes of an event's name or id. */
const mostOfAName = 1_024;
