import { Option } from "commander";
import { parseNumber } from "../../options/number.ts";

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
