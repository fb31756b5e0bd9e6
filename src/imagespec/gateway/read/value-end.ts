const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const space = 0x20;

/**
 * Finds where a JSON value ends, over any number of pieces of it. It is no checker: it counts brackets outside of
 * strings, so that its time and memory do not depend on the depth.
 */
export class ValueEnd {
  #depth = 0;
  #place: "before" | "between" | "string" | "scalar" = "before";
  /** Bytes of the next piece that an escape has taken already. */
  #overrun = 0;

  /** Forgets what it has seen: the next piece begins with a value. */
  reset(): void {
    this.#depth = 0;
    this.#place = "before";
    this.#overrun = 0;
  }

  /**
   * The offset behind the value, or -1 where it does not end within the piece. A number or a word ends before the
   * mark that follows it.
   */
  find(bytes: Uint8Array, from: number): number {
    const { length } = bytes;
    let at = from + this.#overrun;
    if (this.#place === "before" && at < length) {
      const first = bytes[at] ?? 0;
      this.#place = first === quote || isBracket(first) ? "between" : "scalar";
    }
    if (this.#place === "scalar") {
      while (at < length && !endsScalar(bytes[at] ?? 0)) at += 1;
      return at < length ? at : -1;
    }
    let depth = this.#depth;
    let isString = this.#place === "string";
    while (at < length) {
      if (!isString) {
        let byte = bytes[at++] ?? 0;
        while (byte !== quote) {
          if (byte >= 0x5b) {
            const bracket = byte | 0x20;
            if (bracket === 0x7b) depth += 1;
            else if (bracket === 0x7d && --depth <= 0) return at;
          }
          if (at >= length) return this.#leave("between", depth, 0);
          byte = bytes[at++] ?? 0;
        }
        isString = true;
      }
      while (at < length) {
        const byte = bytes[at++] ?? 0;
        if (byte === quote) {
          if (depth === 0) return at;
          isString = false;
          break;
        }
        if (byte === backslash) at += 1;
      }
    }
    return this.#leave(isString ? "string" : "between", depth, Math.max(0, at - length));
  }

  #leave(place: "between" | "string", depth: number, overrun: number): -1 {
    this.#place = place;
    this.#depth = depth;
    this.#overrun = overrun;
    return -1;
  }
}

/** `[`, `]`, `{` or `}`: the pairs differ in one bit. */
function isBracket(byte: number): boolean {
  const bracket = byte | 0x20;
  return bracket === 0x7b || bracket === 0x7d;
}

function endsScalar(byte: number): boolean {
  return byte <= space || byte === comma || byte === 0x5d || byte === 0x7d;
}
