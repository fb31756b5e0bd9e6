import type { Diagnostic } from "../../core/diagnostic.ts";
import { FairleadError, type Where } from "../../core/error.ts";
import { excerpt } from "../../core/escape.ts";
import type { ImagePolicySpec } from "../objects/image-policy.ts";
import { createAlphabeticalOrder } from "./alphabetical-order.ts";
import { attributesOf } from "./attributes.ts";
import { findWinner } from "./contest.ts";
import { createExclusion } from "./exclusion-list.ts";
import type { Explanation, LossList } from "./explanation.ts";
import { createNumericalOrder } from "./numerical-order.ts";
import { createSemverOrder } from "./semver-order.ts";
import { compileFilter } from "./tag-filter.ts";
import type { TagOrder } from "./tag-order.ts";

/** What of an ImagePolicy decides. */
export type SelectionSpec = Pick<ImagePolicySpec, "choice" | "filterTags">;

export interface SelectionOptions {
  /** Of the ImageRepository; default: nothing is excluded. */
  readonly exclusionList?: readonly string[] | undefined;
  /** Where the policy is written, for findings and errors. */
  readonly where?: Where | undefined;
}

/** The chosen tag, with RFC-0005's attributes. */
export interface Selection {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** `attribute-reserved` and `attribute-unmatched`. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A choice, or why there is none. */
type Choice =
  | { readonly selection: Selection; readonly error?: undefined }
  | { readonly selection?: undefined; readonly error: FairleadError };

/** A choice, and why the other tags lost. */
export type ExplainedSelection = Choice & { readonly explanation: Explanation };

/**
 * The latest tag by a policy, as Flux chooses it; the order of the tags does not matter.
 * @throws FairleadError `policy-invalid` for a range or an expression that is none, `policy-unresolved` where no tag
 *   can be chosen, `limit-exceeded`
 */
export function selectLatest(
  spec: SelectionSpec,
  tags: readonly string[],
  options: SelectionOptions = {},
): Selection {
  const { selection, error } = contest(spec, tags, options, false);
  if (selection === undefined) throw error;
  return selection;
}

/**
 * Like {@link selectLatest}, and tells of each other tag why it lost; of 10,000 at most, the rest is counted.
 * @throws FairleadError like selectLatest, but for a policy that leaves no tag
 */
export function explainSelection(
  spec: SelectionSpec,
  tags: readonly string[],
  options: SelectionOptions = {},
): ExplainedSelection {
  const { losses, ...choice } = contest(spec, tags, options, true);
  return { ...choice, explanation: losses.toExplanation() };
}

type Outcome = Choice & { readonly losses: LossList };

function contest(
  spec: SelectionSpec,
  tags: readonly string[],
  { exclusionList = [], where = {} }: SelectionOptions,
  isExplained: boolean,
): Outcome {
  return placed(where, () => {
    const { choice } = spec;
    if (choice.kind === "semver") return contestBy(createSemverOrder(choice.range));
    if (choice.kind === "numerical") return contestBy(createNumericalOrder(choice.order));
    return contestBy(createAlphabeticalOrder(choice.order));
  });

  function contestBy<Rank>(order: TagOrder<Rank>): Outcome {
    const filter = spec.filterTags && compileFilter(spec.filterTags);
    const exclude = createExclusion(exclusionList);
    const { winner, losses } = findWinner(tags, order, { exclude, filter, isExplained });
    if (winner === undefined) return { error: unresolved(spec, losses, where), losses };
    const { attributes, diagnostics } =
      filter === undefined ? { attributes: {}, diagnostics: [] } : attributesOf(winner, filter, where);
    return { selection: { tag: winner, attributes, diagnostics }, losses };
  }
}

/** Flux says the first and the last of these; that a filter leaves nothing it calls an empty version list. */
function unresolved({ choice, filterTags }: SelectionSpec, losses: LossList, where: Where): FairleadError {
  const fail = (message: string, hint: string): FairleadError =>
    new FairleadError("policy-unresolved", message, { where, hint });
  const left = losses.count("unparsable") + losses.count("out-of-range");
  if (left > 0) {
    const range = choice.kind === "semver" ? choice.range : "";
    return fail(
      "unable to determine latest version from provided list",
      `tags that are no version, or not in the range '${excerpt(range)}': ${left}; pre-releases need a range that names one, such as '>=1.0.0-0'`,
    );
  }
  const filtered = losses.count("filtered");
  if (filtered > 0) {
    return fail(
      `no tag matches the pattern '${excerpt(filterTags?.pattern ?? "")}'`,
      `tags held against it: ${filtered}; it is an expression by RE2, not anchored`,
    );
  }
  const excluded = losses.count("excluded");
  return fail(
    "no tags in database",
    excluded > 0
      ? `the exclusion list leaves none; tags that it excludes: ${excluded}`
      : "the repository has no tags: look at its name and the credentials",
  );
}

/** Gives errors the policy's place. */
function placed<Result>(where: Where, work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof FairleadError) || Object.keys(cause.where).length > 0) throw cause;
    throw new FairleadError(cause.code, cause.message, { where, hint: cause.hint, cause });
  }
}
