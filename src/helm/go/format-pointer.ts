import type { Directive } from "./directive.ts";
import { formatInteger } from "./format-number.ts";
import { GoBytes, GoMap, GoSlice, GoStruct, typeOf, type GoValue } from "./value.ts";

/** Go prints where in memory something is; nobody can rely on it. */
const address = 0xc000010000n;

/**
 * Where a map, slice or pointer points, under a verb of fmt and without padding.
 * @returns undefined for other values, and where the verb is not for pointers
 */
export function formatPointer(value: GoValue, verb: string, directive: Directive): string | undefined {
  const pointed = addressOf(value);
  if (pointed === undefined || !"bodxXvp".includes(verb)) return undefined;
  if (verb === "v" && directive.sharpV) {
    return `(${typeOf(value)?.name ?? ""})(${pointed === 0n ? "nil" : `0x${pointed.toString(16)}`})`;
  }
  const isAddress = verb === "v" || verb === "p";
  return isAddress
    ? formatInteger(pointed, false, "x", { ...directive, sharp: !directive.sharp })?.text
    : formatInteger(pointed, false, verb, directive)?.text;
}

function addressOf(value: GoValue): bigint | undefined {
  if (value instanceof GoSlice || value instanceof GoMap) return value.isNil ? 0n : address;
  const isPointer = value instanceof GoBytes || (value instanceof GoStruct && value.type.kind === "ptr");
  return isPointer ? address : undefined;
}
