import { GoError } from "./value.ts";

/**
 * A float64 as encoding/json writes it: the shortest digits, with an exponent below 1e-6 and from 1e21 on, which
 * is JavaScript's choice too.
 * @throws GoError for NaN and infinities
 */
export function formatJsonNumber(value: number): string {
  if (!Number.isFinite(value)) {
    const name = Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
    throw new GoError(`json: unsupported value: ${name}`);
  }
  return Object.is(value, -0) ? "-0" : String(value);
}
