import { InvalidArgumentError, Option } from "commander";

/**
 * A switch that may be given a value, as flags of Go programs are: `--enable-x`, `--enable-x=false`. One whose name
 * begins with `--no-` switches off what the rest of the name says.
 */
export function booleanOption(flag: string, description: string, standard?: boolean): Option {
  const isNegated = flag.startsWith("--no-");
  const option = new Option(`${flag} [boolean]`, description).argParser((text) => {
    if (text !== "true" && text !== "false") throw new InvalidArgumentError("It must be true or false.");
    return (text === "true") !== isNegated;
  });
  return standard === undefined ? option : option.default(standard);
}
