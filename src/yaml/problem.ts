import { FairleadError, type ErrorCode, type FairleadErrorOptions } from "../core/error.ts";
import type { YamlValue } from "./value.ts";

/**
 * What sigs.k8s.io/yaml says of a text that it cannot read: its words, or the collection that stands where a key
 * is expected, which it prints as Go writes it.
 */
export type GoProblem = string | { readonly invalidKey: YamlValue };

/** The error for a text that Helm cannot read. */
export class YamlError extends FairleadError {
  /** Undefined where the limit is ours alone. */
  readonly problem: GoProblem | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    problem: GoProblem | undefined,
    options: FairleadErrorOptions,
  ) {
    super(code, message, options);
    this.problem = problem;
  }
}
