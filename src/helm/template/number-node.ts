import { parseGoFloat, readFloat, readInt, readUint } from "../go/number.ts";
import { quoteGo, unquoteCharacter } from "../go/quote.ts";
import { GoError } from "../go/value.ts";
import type { NumberNode } from "./node.ts";

/** Every type that a constant can have, with its value as that type. */
export type NumberReadings = Pick<NumberNode, "int" | "uint" | "float" | "complex">;

const none: NumberReadings = { int: undefined, uint: undefined, float: undefined, complex: undefined };

/**
 * Reads a constant of a template as each of the types that can represent it (Go's newNumber).
 * @throws GoError with Go's message
 */
export function parseNumber(text: string, kind: "character-constant" | "complex" | "number"): NumberReadings {
  if (kind === "character-constant") return parseCharacter(text);
  if (kind === "complex") return parseComplex(text);
  if (/^[1-9]\d{0,14}$/u.test(text)) return integer(BigInt(text));
  const imaginary = text.endsWith("i") ? readFloat(text.slice(0, -1)) : undefined;
  if (imaginary?.error === undefined && imaginary !== undefined) return complex(0, imaginary.value);
  return parseReal(text);
}

function parseCharacter(text: string): NumberReadings {
  const character = unquoteCharacter(text, "'", 1);
  if (character === undefined) throw new GoError("invalid syntax");
  if (text.length !== character.width + 2) throw new GoError(`malformed character constant: ${text}`);
  return integer(BigInt(character.code));
}

function parseReal(text: string): NumberReadings {
  const int = readInt(text, 0);
  const uint = readUint(text, 0);
  if (int.error === undefined) {
    const isUint = uint.error === undefined || int.value === 0n;
    return { ...none, int: int.value, uint: isUint ? int.value : undefined, float: Number(int.value) };
  }
  if (uint.error === undefined) return { ...none, uint: uint.value, float: Number(uint.value) };
  const float = readFloat(text);
  if (float.error !== undefined) throw new GoError(`illegal number syntax: ${quoteGo(text)}`);
  if (!/[.eEpP]/u.test(text)) throw new GoError(`integer overflow: ${quoteGo(text)}`);
  return { ...none, ...integersOf(float.value), float: float.value };
}

/** A part of a complex constant as Go's fmt.Sscan takes it: an `i` may look like the beginning of `inf`. */
const part =
  /[+-]?i?(?:0[xX][\da-fA-F_]*(?:\.[\da-fA-F_]*)?(?:[pP][+-]?[\d_]*)?|[\d_]*(?:\.[\d_]*)?(?:[eEpP][+-]?[\d_]*)?)/y;

/** A constant such as `1+2i`. */
function parseComplex(text: string): NumberReadings {
  const real = partAt(text, 0);
  const imaginary = partAt(text, real.length);
  const end = real.length + imaginary.length;
  if (!/^[+-]/u.test(imaginary) || !text.startsWith("i", end)) {
    throw new GoError("syntax error scanning complex number");
  }
  return complex(parseGoFloat(real), parseGoFloat(imaginary));
}

function partAt(text: string, position: number): string {
  part.lastIndex = position;
  return part.exec(text)?.[0] ?? "";
}

function integer(value: bigint): NumberReadings {
  return { ...none, int: value, uint: value, float: Number(value) };
}

function complex(real: number, imaginary: number): NumberReadings {
  const readings = imaginary === 0 ? { ...integersOf(real), float: real } : {};
  return { ...none, ...readings, complex: { real, imaginary } };
}

/** The integers that a float is exactly. */
function integersOf(float: number): Pick<NumberNode, "int" | "uint"> {
  if (!Number.isInteger(float)) return { int: undefined, uint: undefined };
  return {
    int: float >= -(2 ** 63) && float < 2 ** 63 ? BigInt(float) : undefined,
    uint: float >= 0 && float < 2 ** 64 ? BigInt(float) : undefined,
  };
}
