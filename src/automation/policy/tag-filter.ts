import { FairleadError } from "../../core/error.ts";
import { excerpt } from "../../core/escape.ts";
import { compileRegexp, type GoRegexp } from "../../helm/go/regexp.ts";
import { fromBytes, toBytes } from "../../helm/go/utf8.ts";
import { GoError } from "../../helm/go/value.ts";
import type { TagFilter } from "../objects/image-policy.ts";
import { createExpressionBudget } from "./expression-budget.ts";

/** A tag's groups by name; undefined for one that took no part in the match. */
export type NamedGroups = ReadonlyMap<string, string | undefined>;

/** `filterTags` of an ImagePolicy, ready to use; texts are one byte a UTF-16 unit, as those of Go. */
export interface CompiledFilter {
  /** What of a tag is compared with others; undefined for a tag that the pattern does not match. */
  readonly extract: (tag: string) => string | undefined;
  /** The named groups of a tag; undefined for a tag that the pattern does not match. */
  readonly groupsOf: (tag: string) => NamedGroups | undefined;
}

/**
 * Compiles `filterTags`: the pattern by RE2, not anchored, the template by Go's `Regexp.Expand`.
 * @throws FairleadError `policy-invalid` in Flux's words, `limit-exceeded`
 */
export function compileFilter({ pattern, extract }: TagFilter): CompiledFilter {
  const budget = createExpressionBudget();
  const regexp = compilePattern(pattern, budget);
  const find = regexp.createFinder(budget);
  const expand = regexp.createExpander(toBytes(extract));
  return {
    extract: (tag) => {
      if (extract === "") return regexp.matches(tag, budget) ? tag : undefined;
      const match = find(tag);
      return match && expand(tag, match);
    },
    groupsOf: (tag) => {
      const match = find(tag);
      if (match === undefined) return undefined;
      const groups = new Map<string, string | undefined>();
      for (const [group, name] of regexp.groupNames.entries()) {
        const [start = -1, end] = match.slice(2 * group, 2 * group + 2);
        if (name === "" || (groups.has(name) && groups.get(name) !== undefined)) continue;
        groups.set(name, start === -1 ? undefined : tag.slice(start, end));
      }
      return groups;
    },
  };
}

function compilePattern(pattern: string, budget: Parameters<GoRegexp["matches"]>[1]): GoRegexp {
  try {
    return compileRegexp(toBytes(pattern), budget);
  } catch (cause) {
    if (!(cause instanceof GoError)) throw cause;
    throw new FairleadError(
      "policy-invalid",
      `failed to filter tags: invalid regular expression pattern '${excerpt(pattern)}': ${excerpt(fromBytes(cause.message))}`,
      {
        hint: "filterTags.pattern is an expression by RE2, which has no look-around and no back-references",
        cause,
      },
    );
  }
}
