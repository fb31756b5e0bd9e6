/**
 * A number as Go prints it in a template: `%v` of a float64 is the shortest text that reads back as the same
 * number, with an exponent below 1e-4 and from 1e+06 on (strconv.FormatFloat, format `g`, precision -1).
 * So `1.10` gives `1.1` and 10000000 gives `1e+07`.
 *
 * @param bits 32 for the shortest text of the nearest float32, which is how sigs.k8s.io/yaml writes float
 *   keys, and floats that it reads into string fields (`appVersion: 1.10`); default: 64
 */
export function formatGoFloat(value: number, bits: 32 | 64 = 64): string {
  if (Number.isNaN(value)) return "NaN";
  const rounded = bits === 32 ? Math.fround(value) : value;
  if (!Number.isFinite(rounded)) return rounded > 0 ? "+Inf" : "-Inf";
  if (Object.is(rounded, -0)) return "-0";
  const [mantissa = "0", power = "0"] = shortestExponential(rounded, bits).split("e");
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return formatDecimal(mantissa, exponent);
  return `${mantissa}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

function shortestExponential(value: number, bits: 32 | 64): string {
  if (bits === 64) return value.toExponential();
  // Nine significant digits tell any two float32 numbers apart.
  for (let digits = 0; digits < 8; digits++) {
    const text = roundHalfToEven(value, digits);
    if (Math.fround(Number(text)) === value) return text;
  }
  return roundHalfToEven(value, 8);
}

/** Like toExponential, which rounds a half up where Go rounds it to the even digit. */
function roundHalfToEven(value: number, digits: number): string {
  const [exact = "", power = ""] = value.toExponential(20).split("e");
  const point = exact.indexOf(".");
  const kept = exact.slice(0, digits === 0 ? point : point + 1 + digits);
  const isHalf = /^\.?50*$/u.test(exact.slice(kept.length));
  return isHalf && /[02468]$/u.test(kept) ? `${kept}e${power}` : value.toExponential(digits);
}

function formatDecimal(mantissa: string, exponent: number): string {
  const sign = mantissa.startsWith("-") ? "-" : "";
  const digits = mantissa.replaceAll(/[-.]/gu, "");
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  const fraction = digits.slice(exponent + 1);
  return fraction === "" ? sign + whole : `${sign}${whole}.${fraction}`;
}
