import { formatGoFloat } from "../../yaml/go-number.ts";

/** The formats of strconv.FormatFloat. */
export type FloatFormat = "b" | "e" | "E" | "f" | "g" | "G" | "x" | "X";

/** The digits of a number without zeros around them; the decimal point stands after the first `point` of them. */
interface Decimal {
  readonly digits: string;
  readonly point: number;
}

/**
 * A float as text (strconv.FormatFloat).
 * @param precision digits after the point, with `g` and `G` all digits; -1 for as many as tell the number apart
 * @param bits 32 for the shortest text that tells float32 numbers apart
 */
export function formatFloat(
  value: number,
  format: FloatFormat,
  precision: number,
  bits: 32 | 64 = 64,
): string {
  const rounded = bits === 32 ? Math.fround(value) : value;
  if (!Number.isFinite(rounded)) return formatGoFloat(rounded);
  const sign = rounded < 0 || Object.is(rounded, -0) ? "-" : "";
  const magnitude = Math.abs(rounded);
  if (format === "b") return sign + formatBinary(magnitude, bits);
  if (format === "x") return sign + formatHexadecimal(magnitude, precision, bits);
  if (format === "X") return sign + formatHexadecimal(magnitude, precision, bits).toUpperCase();
  return sign + formatDecimal(magnitude, format, precision, bits);
}

function formatDecimal(
  magnitude: number,
  format: "e" | "E" | "f" | "g" | "G",
  precision: number,
  bits: 32 | 64,
): string {
  const isShortest = precision < 0;
  const exact = isShortest ? shortestDecimal(magnitude, bits) : exactDecimal(magnitude);
  if (format === "g" || format === "G") {
    return general(exact, isShortest ? undefined : Math.max(precision, 1), format === "g" ? "e" : "E");
  }
  if (format === "f") {
    const decimal = isShortest ? exact : roundDecimal(exact, exact.point + precision);
    return positional(decimal, isShortest ? decimal.digits.length - decimal.point : precision);
  }
  const decimal = isShortest ? exact : roundDecimal(exact, precision + 1);
  return exponential(decimal, isShortest ? decimal.digits.length - 1 : precision, format);
}

/** With an exponent where the number is small or large for the precision. */
function general(exact: Decimal, precision: number | undefined, letter: "e" | "E"): string {
  const decimal = precision === undefined ? exact : roundDecimal(exact, precision);
  const { digits, point } = decimal;
  const fitsItsDigits = precision !== undefined && precision > digits.length && digits.length >= point;
  const largest = precision === undefined ? 6 : fitsItsDigits ? digits.length : precision;
  const exponent = point - 1;
  if (exponent < -4 || exponent >= largest) {
    return exponential(decimal, Math.min(precision ?? digits.length, digits.length) - 1, letter);
  }
  return positional(decimal, digits.length - point);
}

function exponential({ digits, point }: Decimal, precision: number, letter: "e" | "E"): string {
  const fraction = precision > 0 ? `.${digits.slice(1, precision + 1).padEnd(precision, "0")}` : "";
  const exponent = digits === "" ? 0 : point - 1;
  const power = String(Math.abs(exponent)).padStart(2, "0");
  return `${digits.charAt(0) || "0"}${fraction}${letter}${exponent < 0 ? "-" : "+"}${power}`;
}

function positional({ digits, point }: Decimal, precision: number): string {
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, "0") : "0";
  if (precision <= 0) return whole;
  const zeros = "0".repeat(Math.min(Math.max(-point, 0), precision));
  const fraction = (zeros + digits.slice(Math.max(point, 0))).slice(0, precision);
  return `${whole}.${fraction.padEnd(precision, "0")}`;
}

function shortestDecimal(magnitude: number, bits: 32 | 64): Decimal {
  const [mantissa = "", power = "0"] = formatGoFloat(magnitude, bits).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return trimDecimal(whole + fraction, whole.length + Number(power));
}

function exactDecimal(magnitude: number): Decimal {
  const { mantissa, exponent } = partsOf(magnitude, 64);
  if (exponent >= 0) {
    const digits = String(mantissa << BigInt(exponent));
    return trimDecimal(digits, digits.length);
  }
  const digits = String(mantissa * 5n ** BigInt(-exponent));
  return trimDecimal(digits, digits.length + exponent);
}

function trimDecimal(text: string, point: number): Decimal {
  const start = text.search(/[1-9]/u);
  if (start === -1) return { digits: "", point: 0 };
  let end = text.length;
  while (text.charAt(end - 1) === "0") end -= 1;
  return { digits: text.slice(start, end), point: point - start };
}

/** Rounds to so many digits, a half to the even digit. */
function roundDecimal(decimal: Decimal, count: number): Decimal {
  const { digits, point } = decimal;
  if (count < 0 || count >= digits.length) return decimal;
  const isHalf = digits.charAt(count) === "5" && digits.length === count + 1;
  const roundsUp = isHalf ? /[13579]/u.test(digits.charAt(count - 1)) : digits.charAt(count) >= "5";
  const kept = digits.slice(0, count);
  if (!roundsUp) return trimDecimal(kept, point);
  const raised = String(BigInt(kept === "" ? 0 : kept) + 1n);
  return trimDecimal(raised, raised.length > count ? point + 1 : point);
}

/** `mantissa * 2 ** exponent`, with the mantissa that the number has in memory. */
function partsOf(magnitude: number, bits: 32 | 64): { readonly mantissa: bigint; readonly exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  if (bits === 32) view.setFloat32(0, magnitude);
  else view.setFloat64(0, magnitude);
  const { fractionBits, bias } =
    bits === 32 ? { fractionBits: 23, bias: 127 } : { fractionBits: 52, bias: 1023 };
  const memory = bits === 32 ? BigInt(view.getUint32(0)) : view.getBigUint64(0);
  const fraction = memory & ((1n << BigInt(fractionBits)) - 1n);
  const biased = Number(memory >> BigInt(fractionBits));
  const mantissa = biased === 0 ? fraction : fraction | (1n << BigInt(fractionBits));
  return { mantissa, exponent: Math.max(biased, 1) - bias - fractionBits };
}

function formatBinary(magnitude: number, bits: 32 | 64): string {
  const { mantissa, exponent } = partsOf(magnitude, bits);
  return `${mantissa}p${exponent >= 0 ? "+" : ""}${exponent}`;
}

/** One binary digit, then hexadecimal ones. */
function formatHexadecimal(magnitude: number, precision: number, bits: 32 | 64): string {
  const parts = partsOf(magnitude, bits);
  const length = parts.mantissa.toString(2).length;
  // Fifteen hexadecimal digits after the point hold every mantissa.
  let mantissa = parts.mantissa << BigInt(61 - length);
  let exponent = magnitude === 0 ? 0 : parts.exponent + length - 1;
  if (precision >= 0 && precision < 15) {
    const unit = 1n << BigInt(60 - 4 * precision);
    const rest = mantissa % unit;
    mantissa -= rest;
    const isOdd = (mantissa / unit) % 2n === 1n;
    if (rest * 2n > unit || (rest * 2n === unit && isOdd)) mantissa += unit;
    if (mantissa >> 61n === 1n) {
      mantissa >>= 1n;
      exponent += 1;
    }
  }
  const digits = mantissa.toString(16).padStart(16, "0");
  const all = digits.slice(1);
  const fraction = precision < 0 ? all.replace(/0+$/u, "") : all.slice(0, precision).padEnd(precision, "0");
  const power = String(Math.abs(exponent)).padStart(2, "0");
  return `0x${digits.charAt(0)}${fraction === "" ? "" : `.${fraction}`}p${exponent < 0 ? "-" : "+"}${power}`;
}
