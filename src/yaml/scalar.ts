/**
 * What an unquoted scalar means to Helm. The rules are those of go.yaml.in/yaml/v2 (`resolve.go`), which
 * reads YAML 1.1 with its own choices: `y` and `on` are booleans, `0777` is octal, `08` is the float 8,
 * `1_000` is a number, sexagesimal numbers and timestamps stay strings.
 */
export type ResolvedScalar =
  | { readonly kind: "null"; readonly value: null }
  | { readonly kind: "bool"; readonly value: boolean }
  /** `exact` is set where a float64 cannot hold the number, `unsigned` where an int64 cannot. */
  | {
      readonly kind: "int";
      readonly value: number;
      readonly exact?: bigint;
      readonly unsigned?: boolean;
    }
  /** May be infinite or not a number, which JSON and so Helm cannot hold. */
  | { readonly kind: "float"; readonly value: number };

const constants: ReadonlyMap<string, ResolvedScalar> = new Map([
  ...spell(["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"], true),
  ...spell(["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"], false),
  ...spell(["", "~", "null", "Null", "NULL"], null),
  ...spell([".nan", ".NaN", ".NAN"], Number.NaN),
  ...spell([".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"], Number.POSITIVE_INFINITY),
  ...spell(["-.inf", "-.Inf", "-.INF"], Number.NEGATIVE_INFINITY),
]);

function spell(texts: readonly string[], value: null | boolean | number): [string, ResolvedScalar][] {
  const resolved: ResolvedScalar =
    value === null
      ? { kind: "null", value }
      : typeof value === "boolean"
        ? { kind: "bool", value }
        : { kind: "float", value };
  return texts.map((text) => [text, resolved]);
}

const decimalFloat = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/u;
/** What begins with a dot goes straight to Go's ParseFloat, which allows single underscores. */
const dottedFloat = /^\.[0-9]+(?:_[0-9]+)*(?:[eE][-+]?[0-9]+(?:_[0-9]+)*)?$/u;

/** The meaning of an unquoted scalar's text, or undefined where it is a string. */
export function tryResolveScalar(text: string): ResolvedScalar | undefined {
  const first = text.charCodeAt(0);
  const numeric = (first >= 0x30 && first <= 0x39) || first === 0x2b || first === 0x2d;
  if (!numeric && first !== 0x2e) return text.length <= 5 ? constants.get(text) : undefined;
  const constant = text.length <= 5 ? constants.get(text) : undefined;
  if (constant !== undefined) return constant;
  if (!numeric) {
    return dottedFloat.test(text) ? finiteFloat(text.replaceAll("_", "")) : undefined;
  }
  const plain = text.replaceAll("_", "");
  const integer = tryParseInteger(plain);
  if (integer !== undefined) return integer;
  return decimalFloat.test(plain) ? finiteFloat(plain) : undefined;
}

/** Go's ParseFloat refuses what overflows, and the scalar stays a string. */
function finiteFloat(text: string): ResolvedScalar | undefined {
  const value = Number(text);
  return Number.isFinite(value) ? { kind: "float", value } : undefined;
}

const minInt64 = -(2n ** 63n);
const maxInt64 = 2n ** 63n - 1n;
const maxUint64 = 2n ** 64n - 1n;

/**
 * Go's ParseInt and ParseUint with base 0 (a prefix `0x`, `0o`, `0b` or `0` chooses the base), and the signs
 * that yaml/v2 lets stand after `0b`.
 */
function tryParseInteger(text: string): ResolvedScalar | undefined {
  if (/^[-+]?(?:0|[1-9][0-9]{0,14})$/u.test(text)) return { kind: "int", value: Number(text) + 0 };
  const match =
    /^(?<sign>[-+]?)(?:0[xX](?<hex>[0-9a-fA-F]+)|0[bB](?<binary>[01]+)|0[oO]?(?<octal>[0-7]+)|(?<decimal>[1-9][0-9]*))$/u.exec(
      text,
    ) ?? /^(?<sign>)0b(?<inner>[-+])(?<binary>[01]+)$/u.exec(text);
  if (match?.groups === undefined) return undefined;
  const { sign, inner, hex, binary, octal, decimal } = match.groups;
  const magnitude = BigInt(
    hex !== undefined
      ? `0x${hex}`
      : binary !== undefined
        ? `0b${binary}`
        : octal !== undefined
          ? `0o${octal}`
          : (decimal ?? ""),
  );
  const exact = sign === "-" || inner === "-" ? -magnitude : magnitude;
  const unsigned = exact > maxInt64;
  if (exact < minInt64 || exact > maxUint64 || (unsigned && (sign !== "" || inner !== undefined))) {
    return undefined;
  }
  const value = Number(exact);
  return {
    kind: "int",
    value,
    ...(Number.isSafeInteger(value) ? {} : { exact }),
    ...(unsigned ? { unsigned } : {}),
  };
}

const date = String.raw`(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})`;
const time = String.raw`(?<hour>\d{1,2}):(?<minute>\d{1,2}):(?<second>\d{1,2})(?:[.,]\d+)?`;
const timestamp = new RegExp(
  `^${date}(?:[Tt]${time}(?:Z|[-+](?<zoneHour>\\d{2}):(?<zoneMinute>\\d{2}))| ${time.replaceAll("?<", "?<_")})?$`,
  "u",
);

/** Whether yaml/v2 takes the text for a timestamp; it matters only under an explicit `!!timestamp`. */
export function isTimestamp(text: string): boolean {
  const groups = timestamp.exec(text)?.groups;
  if (groups === undefined) return false;
  const part = (name: string): number => Number(groups[name] ?? groups[`_${name}`] ?? 0);
  const lastDay = new Date(Date.UTC(2000 + (part("year") % 400), part("month"), 0)).getUTCDate();
  return (
    part("month") >= 1 &&
    part("month") <= 12 &&
    part("day") >= 1 &&
    part("day") <= lastDay &&
    part("hour") < 24 &&
    part("minute") < 60 &&
    part("second") < 60 &&
    part("zoneHour") <= 24 &&
    part("zoneMinute") < 60
  );
}
