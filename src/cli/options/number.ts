import { InvalidArgumentError } from "commander";

/** Reads a number from one on. @throws InvalidArgumentError */
export function parseNumber(text: string, max: number): number {
  const value = Number(text);
  if (/^\d{1,16}$/u.test(text) && value >= 1 && value <= max) return value;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${max}.`);
}
