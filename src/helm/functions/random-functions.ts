import { Buffer } from "node:buffer";
import { bytesOfItem, type GoContext, type RandomSource } from "../go/context.ts";
import { define, parameters, type FunctionTable } from "../go/function.ts";
import { Dice, randomBigIntBelow } from "../go/random.ts";
import { trackedFrom } from "../go/text.ts";
import { bytesOf, isAscii, runes, toBytes } from "../go/utf8.ts";
import { GoError, intOf, type GoFunction, type GoScalar, type GoValue } from "../go/value.ts";

const digits = "0123456789";
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const visible = String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 32 + index));

/** Sprig's functions that give something else each time. */
export const randomFunctions: FunctionTable = {
  randAlpha: randomText("randAlpha", letters),
  randNumeric: randomText("randNumeric", digits),
  randAlphaNum: randomText("randAlphaNum", letters + digits),
  randAscii: randomText("randAscii", visible),
  randBytes: define([parameters.int], ([{ value }], context) => {
    const count = Number(value);
    if (count < 0) throw new GoError("runtime error: makeslice: len out of range");
    context.budget.spendBytes(Math.ceil(count / 3) * 4);
    return generated(context, "randBytes", Buffer.from(context.random.bytes(count)).toString("base64"));
  }),
  randInt: define([parameters.int, parameters.int], ([min, max], context) => {
    const range = BigInt.asIntN(64, max.value - min.value);
    if (range <= 0n) throw new GoError("invalid argument to Intn");
    return generated(context, "randInt", intOf(min.value + randomBigIntBelow(context.random, range)));
  }),
  shuffle: define([parameters.string], ([text], context) => {
    if (!isAscii(text)) context.budget.spendBytes(bytesOfItem * text.length);
    const codes: Uint8Array | Uint32Array = isAscii(text)
      ? Buffer.from(text, "latin1")
      : Uint32Array.from(runes(text), ({ code }) => code);
    // What is drawn, as much again for what is drawn in vain, and the text.
    context.budget.spendBytes(5 * codes.length);
    shuffle(codes, context.random);
    return codes instanceof Uint32Array ? textOfCodes(codes) : bytesOf(codes);
  }),
};

function shuffle(codes: Uint8Array | Uint32Array, random: RandomSource): void {
  const dice = new Dice(random);
  for (let last = codes.length - 1; last > 0; last--) {
    const chosen = dice.below(last + 1, last);
    const code = codes[last] ?? 0;
    codes[last] = codes[chosen] ?? 0;
    codes[chosen] = code;
  }
}

function textOfCodes(codes: Uint32Array): string {
  return toBytes(Array.from(codes, (code) => String.fromCodePoint(code)).join(""));
}

/** A text of so many characters; of a negative number of them, goutils makes an error that Sprig drops. */
function randomText(name: string, alphabet: string): GoFunction {
  return define([parameters.int], ([{ value }], context) => {
    const count = Math.max(0, Number(value));
    context.budget.spendBytes(count);
    let text = "";
    while (text.length < count) text += characters(context.random, alphabet, count - text.length);
    return generated(context, name, text);
  });
}

/** At most so many characters, each as likely as the others: bytes that would favour some are dropped. */
function characters(random: RandomSource, alphabet: string, count: number): string {
  const usable = 256 - (256 % alphabet.length);
  let text = "";
  for (const byte of random.bytes(Math.min(count, 4096))) {
    if (byte < usable) text += alphabet.charAt(byte % alphabet.length);
  }
  return text;
}

function generated(context: GoContext, name: string, value: GoScalar): GoValue {
  if (!context.tracking) return value;
  return trackedFrom(value, { origins: [{ kind: "generated", function: name }], exact: false });
}
