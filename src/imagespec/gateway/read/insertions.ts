/** Texts to put into a buffer, by ascending offset. */
export class Insertions {
  readonly #offsets: number[] = [];
  readonly #texts: Buffer[] = [];
  #size = 0;

  /** @param offset in the buffer, not before the last one */
  add(offset: number, text: Buffer): void {
    this.#offsets.push(offset);
    this.#texts.push(text);
    this.#size += text.length;
  }

  get count(): number {
    return this.#offsets.length;
  }

  /** Forgets all texts but the first ones. */
  keep(count: number): void {
    for (const text of this.#texts.splice(count)) this.#size -= text.length;
    this.#offsets.length = this.#texts.length;
  }

  /** The bytes of a range with every text put in; forgets the texts. */
  apply(bytes: Buffer, start: number, end: number): Buffer {
    if (this.#texts.length === 0) return bytes.subarray(start, end);
    const result = Buffer.allocUnsafe(end - start + this.#size);
    let from = start;
    let at = 0;
    for (const [index, text] of this.#texts.entries()) {
      const offset = this.#offsets[index] ?? end;
      at += bytes.copy(result, at, from, offset);
      at += text.copy(result, at);
      from = offset;
    }
    bytes.copy(result, at, from, end);
    this.keep(0);
    return result;
  }
}
