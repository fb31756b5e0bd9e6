import { padsWithZeros, type Directive } from "./directive.ts";
import { formatFloat, type FloatFormat } from "./float-format.ts";
import { isPrintable } from "./printable.ts";
import { encodeRune, quoteRune } from "./quote.ts";

const radixByVerb: ReadonlyMap<string, number> = new Map([
  ["v", 10],
  ["d", 10],
  ["b", 2],
  ["o", 8],
  ["O", 8],
  ["x", 16],
  ["X", 16],
]);

/** A text that a verb makes of a number; `zeros` tells whether missing width may still be filled with zeros. */
export interface FormattedNumber {
  readonly text: string;
  readonly zeros: boolean;
}

/**
 * An integer under a verb of fmt, without padding by spaces.
 * @param isSigned whether its Go type is; of the others `%#v` is hexadecimal
 * @returns undefined where the verb is not for integers
 */
export function formatInteger(
  value: bigint,
  isSigned: boolean,
  verb: string,
  directive: Directive,
): FormattedNumber | undefined {
  const { sharp, sharpV, plus } = directive;
  if (verb === "v" && sharpV && !isSigned) {
    return { text: formatDigits(value, 16, "v", { ...directive, sharp: true }), zeros: false };
  }
  const radix = radixByVerb.get(verb);
  if (radix !== undefined) return { text: formatDigits(value, radix, verb, directive), zeros: false };
  const unsigned = BigInt.asUintN(64, value);
  const code = unsigned > 0x10ffffn ? 0xfffd : Number(unsigned);
  if (verb === "c") return { text: encodeRune(code), zeros: true };
  if (verb === "q") return { text: quoteRune(code, plus), zeros: true };
  if (verb !== "U") return undefined;
  const digits = unsigned
    .toString(16)
    .toUpperCase()
    .padStart(Math.max(4, directive.precision ?? 0), "0");
  const showsRune = sharp && unsigned <= 0x10ffffn && isPrintable(code);
  return { text: `U+${digits}${showsRune ? ` '${encodeRune(code)}'` : ""}`, zeros: false };
}

function formatDigits(value: bigint, radix: number, verb: string, directive: Directive): string {
  const { precision, width, plus, space } = directive;
  const isNegative = value < 0n;
  const sign = isNegative ? "-" : plus ? "+" : space ? " " : "";
  if (precision === 0 && value === 0n) return "";
  const fromWidth = padsWithZeros(directive) && width !== undefined ? width - sign.length : 0;
  const digits = (isNegative ? -value : value).toString(radix).padStart(precision ?? fromWidth, "0");
  const text = sign + prefixOf(radix, verb, digits, directive.sharp) + digits;
  return verb === "X" ? text.toUpperCase() : text;
}

function prefixOf(radix: number, verb: string, digits: string, sharp: boolean): string {
  const octal = sharp && radix === 8 && !digits.startsWith("0") ? "0" : "";
  if (verb === "O") return `0o${octal}`;
  if (!sharp) return "";
  return radix === 2 ? "0b" : radix === 16 ? "0x" : octal;
}

/**
 * A float64 under a verb of fmt, padded with zeros if the directive says so, but not with spaces.
 * @returns undefined where the verb is not for floats
 */
export function formatFloatVerb(value: number, verb: string, directive: Directive): string | undefined {
  const format = floatFormat(verb);
  if (format === undefined) return undefined;
  const { plus, space, width, precision } = directive;
  const usual = "eEf".includes(format) ? 6 : -1;
  const digits = precision ?? usual;
  const text = formatFloat(value, format, digits);
  const unsigned = text.replace(/^[+-]/u, "");
  const sign = text.startsWith("-") ? "-" : plus ? "+" : space ? " " : "";
  if (Number.isNaN(value)) return sign + unsigned;
  if (value === Infinity) return (sign || "+") + unsigned;
  if (value === -Infinity) return text;
  const shown = directive.sharp && format !== "b" ? withPoint(unsigned, format, digits) : unsigned;
  const zeros = padsWithZeros(directive) ? (width ?? 0) - sign.length : 0;
  return sign + shown.padStart(zeros, "0");
}

function floatFormat(verb: string): FloatFormat | undefined {
  switch (verb) {
    case "v":
      return "g";
    case "F":
      return "f";
    case "b":
    case "e":
    case "E":
    case "f":
    case "g":
    case "G":
    case "x":
    case "X":
      return verb;
    default:
      return undefined;
  }
}

/** The flag `#`: always a decimal point, and with `g` the zeros at the end. */
function withPoint(text: string, format: FloatFormat, precision: number): string {
  const isHexadecimal = format === "x" || format === "X";
  const end = text.search(isHexadecimal ? /p/iu : /e/iu);
  const mantissa = end === -1 ? text : text.slice(0, end);
  const exponent = end === -1 ? "" : text.slice(end);
  const wanted = "gGx".includes(format) ? (precision === -1 ? 6 : precision) : 0;
  const hasPoint = mantissa.includes(".");
  const significant = mantissa.replace(".", "").replace(/^0+/u, "").length;
  // A nought alone counts as a digit.
  const counted = !hasPoint && mantissa === "0" ? 1 : significant;
  const zeros = "0".repeat(Math.max(0, wanted - counted));
  return `${mantissa}${hasPoint ? "" : "."}${zeros}${exponent}`;
}
