const lf = 0x0a;

/** Cuts a byte stream at LF. A line that is too long is reported once, by its first and last bytes, and never held whole. */
export class Lines {
  #parts: Buffer[] = [];
  #length = 0;
  /** The last bytes of a line that has grown too long. */
  #tail: Buffer | undefined;
  readonly #max: number;
  readonly #line: (bytes: Buffer) => void;
  readonly #tooLong: (ends: Buffer) => void;

  constructor(max: number, line: (bytes: Buffer) => void, tooLong: (ends: Buffer) => void) {
    this.#max = max;
    this.#line = line;
    this.#tooLong = tooLong;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(lf); at !== -1; at = chunk.indexOf(lf, from)) {
      this.#add(chunk.subarray(from, at));
      this.#end();
      from = at + 1;
    }
    if (from < chunk.length) this.#add(chunk.subarray(from));
  }

  /** What stands after the last LF when the stream ends is a line too. */
  end(): void {
    if (this.#length > 0 || this.#tail !== undefined) this.#end();
  }

  #add(bytes: Buffer): void {
    if (this.#tail !== undefined) {
      this.#tail = Buffer.concat([this.#tail, bytes]).subarray(-ends);
      return;
    }
    this.#parts.push(bytes);
    this.#length += bytes.length;
    if (this.#length > this.#max) {
      const all = Buffer.concat(this.#parts);
      this.#parts = [Buffer.from(all.subarray(0, ends))];
      this.#tail = Buffer.from(all.subarray(-ends));
    }
  }

  #end(): void {
    const bytes = this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts);
    const tail = this.#tail;
    this.#parts = [];
    this.#length = 0;
    this.#tail = undefined;
    if (bytes === undefined) return;
    if (tail !== undefined) this.#tooLong(Buffer.concat([bytes, tail]));
    else if (bytes.length > 0) this.#line(bytes);
  }
}

const ends = 4096;
