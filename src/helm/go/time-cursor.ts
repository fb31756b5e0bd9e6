/** The text does not have what the layout's element asks for. */
export class MismatchError extends Error {}

/** The element is there, but its number is too large or too small. */
export class OutOfRangeError extends Error {}

/** A text of a time, read from the left. */
export class TimeCursor {
  /** What has not been read yet. */
  rest: string;

  constructor(text: string) {
    this.rest = text;
  }

  /** Steps over literal text, in which any number of spaces stands for any other; false where it differs. */
  skip(literal: string): boolean {
    let position = 0;
    while (position < literal.length) {
      if (literal[position] === " ") {
        if (this.rest !== "" && !this.rest.startsWith(" ")) return false;
        while (literal[position] === " ") position += 1;
        this.rest = this.rest.replace(/^ +/u, "");
      } else {
        if (this.rest === "" || this.rest[0] !== literal[position]) return false;
        this.take(1);
        position += 1;
      }
    }
    return true;
  }

  /** The next bytes. @throws MismatchError if there are fewer */
  take(count: number): string {
    if (this.rest.length < count) throw new MismatchError();
    const taken = this.rest.slice(0, count);
    this.rest = this.rest.slice(count);
    return taken;
  }

  /** Steps over at most so many spaces. */
  skipSpaces(count: number): void {
    for (let skipped = 0; skipped < count && this.rest.startsWith(" "); skipped++) this.take(1);
  }

  /** A number without a sign. @throws MismatchError if there are too few digits */
  digits(fewest: number, most: number): number {
    const run = /^\d{1,3}/u.exec(this.rest)?.[0].slice(0, most) ?? "";
    if (run.length < fewest) throw new MismatchError();
    return Number(this.take(run.length));
  }

  /**
   * A number of one or two digits; two if the element begins with a zero.
   * @param name what the error calls it
   * @throws MismatchError OutOfRangeError
   */
  number(element: string, name: string, min: number, max: number): number {
    const value = this.digits(element.startsWith("0") ? 2 : 1, 2);
    if (value < min || value > max) throw new OutOfRangeError(`${name} out of range`);
    return value;
  }

  /** The place in the list of the name that comes next, in letters of either case. @throws MismatchError */
  name(names: readonly string[]): number {
    const lower = this.rest.slice(0, "September".length).toLowerCase();
    const index = names.findIndex((name) => lower.startsWith(name.toLowerCase()));
    if (index === -1) throw new MismatchError();
    this.take(names[index]?.length ?? 0);
    return index;
  }

  /** How long a fraction with its point or comma is that comes next, 0 if there is none. */
  fractionLength(): number {
    return /^[.,]\d+/u.exec(this.rest)?.[0].length ?? 0;
  }

  /**
   * The nanoseconds of a fraction; what is finer is dropped.
   * @param length with the point or comma
   * @throws MismatchError OutOfRangeError
   */
  nanoseconds(length: number): number {
    const fraction = this.take(length);
    if (!/^[.,]/u.test(fraction)) throw new MismatchError();
    const digits = fraction.slice(1, 10);
    const value = signedInteger(digits);
    if (value < 0) throw new OutOfRangeError("fractional second out of range");
    return value * 10 ** (9 - digits.length);
  }

  /** A zone's abbreviation, or what looks like one: `CEST`, `GMT+3`, `+03`. @throws MismatchError */
  zoneName(): string {
    const length = zoneNameLength(this.rest);
    if (length === 0) throw new MismatchError();
    return this.take(length);
  }
}

/** A number that may have a sign. @throws MismatchError */
export function signedInteger(text: string): number {
  if (!/^[+-]?\d+$/u.test(text)) throw new MismatchError();
  return Number(text);
}

function zoneNameLength(text: string): number {
  if (/^(?:ChST|MeST)/u.test(text)) return 4;
  if (text.startsWith("GMT")) return 3 + signedHoursLength(text.slice(3));
  if (/^[+-]/u.test(text)) return text.length < 3 ? 0 : signedHoursLength(text);
  const letters = /^[A-Z]{0,6}/u.exec(text)?.[0] ?? "";
  if (letters.length === 3) return 3;
  if (letters.length === 4) return letters.endsWith("T") || letters === "WITA" ? 4 : 0;
  return letters.length === 5 && letters.endsWith("T") ? 5 : 0;
}

/** The length of a sign and hours up to 23, or 0. */
function signedHoursLength(text: string): number {
  const match = /^[+-]\d+/u.exec(text)?.[0];
  return match === undefined || Number(match.slice(1)) > 23 ? 0 : match.length;
}
