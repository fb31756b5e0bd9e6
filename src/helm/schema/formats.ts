import { compileRegexp } from "../go/regexp.ts";
import { fromBytes, toBytes } from "../go/utf8.ts";
import { GoError } from "../go/value.ts";
import { addressFormats } from "./format-address.ts";
import { nameFormats } from "./format-name.ts";
import { timeFormats } from "./format-time.ts";

/** Says what keeps a text from being of a format; undefined where nothing does. */
export type FindProblem = (text: string) => string | undefined;

export interface FormatCheck {
  readonly name: string;
  readonly problemOf: FindProblem;
}

const formats: ReadonlyMap<string, FormatCheck> = new Map(
  Object.entries<FindProblem>({ ...addressFormats, ...nameFormats, ...timeFormats, regex: regexProblem }).map(
    ([name, problemOf]) => [name, { name, problemOf }],
  ),
);

/** The check for a `format`; undefined for one that is not known, which is no error. */
export function findFormat(name: string | undefined): FormatCheck | undefined {
  return name === undefined ? undefined : formats.get(name);
}

function regexProblem(text: string): string | undefined {
  try {
    compileRegexp(toBytes(text));
    return undefined;
  } catch (error) {
    if (error instanceof GoError) return fromBytes(error.message);
    throw error;
  }
}
