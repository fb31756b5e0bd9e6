import { ValueEnd } from "./value-end.ts";

const space = 0x20;
const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;

/** A key to look for. */
export interface JsonKey {
  readonly text: string;
  readonly bytes: Uint8Array;
}

/** A key to look for. */
export function jsonKey(text: string): JsonKey {
  return { text, bytes: Buffer.from(text) };
}

/**
 * Walks along the JSON in a buffer and copies nothing. Once it cannot go on it stays where it is, says why in
 * {@link failure} and finds no further key or item.
 */
export class JsonCursor {
  bytes: Buffer = Buffer.alloc(0);
  /** Behind {@link nextKey} and {@link nextItem}: where the value begins. */
  at = 0;
  failure: "incomplete" | "malformed" | undefined;
  #keyStart = 0;
  #keyEnd = 0;
  #isKeyEscaped = false;
  readonly #valueEnd = new ValueEnd();

  /** Begins anew at an offset. */
  reset(bytes: Buffer, at: number): void {
    this.bytes = bytes;
    this.at = at;
    this.failure = undefined;
  }

  /** Moves into the object that begins here; passes any other value. */
  opensObject(): boolean {
    return this.#opens(0x7b);
  }

  /** Moves into the array that begins here; passes any other value. */
  opensArray(): boolean {
    return this.#opens(0x5b);
  }

  #opens(bracket: number): boolean {
    if (this.bytes[this.at] === bracket) {
      this.at += 1;
      return true;
    }
    this.skip();
    return false;
  }

  /** Moves to the value of the object's next key; false behind its last one. */
  nextKey(): boolean {
    if (!this.#moveToNext(0x7d)) return false;
    if (this.bytes[this.at] !== quote) return this.#fail("malformed");
    this.#readKey();
    if (this.#skipBlank() !== colon) return this.#fail("malformed");
    this.at += 1;
    this.#skipBlank();
    return this.failure === undefined;
  }

  /** Moves to the array's next item; false behind its last one. */
  nextItem(): boolean {
    return this.#moveToNext(0x5d);
  }

  /** Moves to the next value of a text that has any number of them. */
  nextText(): boolean {
    if (this.#skipBlank() === comma) return this.#fail("malformed");
    return this.failure === undefined;
  }

  #moveToNext(end: number): boolean {
    let byte = this.#skipBlank();
    if (byte === comma) {
      this.at += 1;
      byte = this.#skipBlank();
    }
    if (this.failure !== undefined) return false;
    if (byte === end) {
      this.at += 1;
      return false;
    }
    return byte === 0x5d || byte === 0x7d ? this.#fail("malformed") : true;
  }

  /** Whether the last key is this one, however it is written. */
  isKey(key: JsonKey): boolean {
    if (this.#isKeyEscaped) return this.text(this.#keyStart - 1, this.#keyEnd + 1) === key.text;
    return this.#keyEnd - this.#keyStart === key.bytes.length && this.#startsWith(key);
  }

  /** What follows a prefix in the last key; undefined where the key does not begin with it. */
  keyBehind(prefix: JsonKey): string | undefined {
    if (!this.#isKeyEscaped && !this.#startsWith(prefix)) return undefined;
    const key = this.text(this.#keyStart - 1, this.#keyEnd + 1);
    return key?.startsWith(prefix.text) === true ? key.slice(prefix.text.length) : undefined;
  }

  #startsWith({ bytes: wanted }: JsonKey): boolean {
    const { bytes } = this;
    const start = this.#keyStart;
    if (this.#keyEnd - start < wanted.length) return false;
    for (let index = 0; index < wanted.length; index++) {
      if (bytes[start + index] !== wanted[index]) return false;
    }
    return true;
  }

  /** Passes the value that begins here. */
  skip(): void {
    if (this.failure !== undefined) return;
    this.#valueEnd.reset();
    this.moveTo(this.#valueEnd.find(this.bytes, this.at));
  }

  /** Goes on at an offset; -1 is beyond the end. */
  moveTo(offset: number): void {
    if (offset === -1) this.#fail("incomplete");
    else this.at = offset;
  }

  /** The string that is written between two offsets; undefined where it is none. */
  text(start: number, end: number): string | undefined {
    if (this.bytes[start] !== quote) return undefined;
    try {
      return JSON.parse(this.bytes.toString("utf8", start, end)) as string;
    } catch {
      return undefined;
    }
  }

  #readKey(): void {
    const { bytes } = this;
    const { length } = bytes;
    let at = this.at + 1;
    this.#keyStart = at;
    this.#isKeyEscaped = false;
    while (at < length && bytes[at] !== quote) {
      if (bytes[at] === backslash) {
        this.#isKeyEscaped = true;
        at += 1;
      }
      at += 1;
    }
    this.#keyEnd = at;
    this.at = at + 1;
  }

  /** @returns the byte that follows, 0 at the end */
  #skipBlank(): number {
    const { bytes } = this;
    const { length } = bytes;
    let { at } = this;
    while (at < length) {
      const byte = bytes[at] ?? 0;
      if (byte > space) {
        this.at = at;
        return byte;
      }
      at += 1;
    }
    this.#fail("incomplete");
    return 0;
  }

  #fail(failure: "incomplete" | "malformed"): false {
    this.failure ??= failure;
    return false;
  }
}
