import { InvalidArgumentError, Option } from "commander";

/** How many are listed. */
export function limitOption(): Option {
  return new Option("--limit <count>", "how many are listed at most")
    .argParser((text) => parseNumber(text, 1000))
    .default(50);
}

/** A number that a list gives. */
export function idOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((text) => parseNumber(text, Number.MAX_SAFE_INTEGER));
}

/** Reads a number from one on. @throws InvalidArgumentError */
export function parseNumber(text: string, max: number): number {
  const value = Number(text);
  if (/^\d{1,16}$/u.test(text) && value >= 1 && value <= max) return value;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${max}.`);
}
