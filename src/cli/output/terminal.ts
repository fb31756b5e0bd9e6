import picocolors from "picocolors";

export type Colours = ReturnType<typeof picocolors.createColors>;

/** What a stream can show. */
export interface Terminal {
  /** Whether a person sits before it and lines may be redrawn. */
  readonly interactive: boolean;
  /** Columns; undefined where the output is piped and must stay whole. */
  readonly width: number | undefined;
  /** Colour functions, which do nothing where no colour is wanted. */
  readonly colours: Colours;
}

interface OutputStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/**
 * Describes a stream: redrawing needs a terminal that is not `dumb`; colour follows `FORCE_COLOR` (`0` and
 * `false` forbid it), then a non-empty `NO_COLOR`, then whether the stream is a terminal.
 */
export function describeTerminal(
  stream: OutputStream,
  environment: Readonly<Record<string, string | undefined>>,
): Terminal {
  const isTerminal = stream.isTTY === true;
  const interactive = isTerminal && environment["TERM"] !== "dumb";
  return {
    interactive,
    width: isTerminal ? Math.max(stream.columns ?? 80, 40) : undefined,
    colours: picocolors.createColors(wantsColour(interactive, environment)),
  };
}

function wantsColour(
  interactive: boolean,
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  const forced = environment["FORCE_COLOR"];
  if (forced !== undefined && forced !== "") return forced !== "0" && forced !== "false";
  return interactive && (environment["NO_COLOR"] ?? "") === "";
}
