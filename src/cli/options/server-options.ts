import { InvalidArgumentError, Option } from "commander";
import { FairleadError } from "../../core/error.ts";
import { tryParseDuration } from "../../objects/duration.ts";
import { parseListenAddress } from "../../serving/listener.ts";
import { parseNumber } from "./number.ts";

/** Waits until the user interrupts the program. */
export async function interrupted(signal: AbortSignal): Promise<void> {
  // The timer keeps the process alive, which listeners alone do only while they listen.
  const timer = setInterval(() => undefined, 60_000);
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  clearInterval(timer);
}

/** A flag that takes an address to listen on. */
export function addressOption(flags: string, description: string, standard: string): Option {
  return new Option(flags, description)
    .argParser((text) => attempt(() => parseListenAddress(text)))
    .default(parseListenAddress(standard), standard);
}

/** A flag that takes a duration and gives milliseconds. @param min the least of them */
export function durationOption(
  flags: string,
  description: string,
  standard: string,
  { min }: { readonly min: number },
): Option {
  const parse = (text: string): number => {
    const ms = tryParseDuration(text);
    if (ms === undefined || ms < min)
      throw new InvalidArgumentError("It must be a duration such as 90s or 5m.");
    return ms;
  };
  return new Option(flags, description).argParser(parse).default(parse(standard), standard);
}

/** A flag that takes a positive number. */
export function countOption(flags: string, description: string, standard: number): Option {
  return new Option(flags, description).argParser((text) => parseNumber(text, 1_000_000)).default(standard);
}

function attempt<Result>(parse: () => Result): Result {
  try {
    return parse();
  } catch (error) {
    throw new InvalidArgumentError(error instanceof FairleadError ? (error.hint ?? error.message) : "");
  }
}
