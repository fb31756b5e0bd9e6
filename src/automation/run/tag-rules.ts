import { FairleadError } from "../../core/error.ts";
import { compareVersions, tryParseVersion } from "../../helm/chart/version.ts";
import { compileRegexp } from "../../helm/go/regexp.ts";
import { fromBytes, toBytes } from "../../helm/go/utf8.ts";
import { GoError } from "../../helm/go/value.ts";
import type { ImagePolicy, PolicyChoice } from "../objects/image-policy.ts";
import { createAlphabeticalOrder } from "../policy/alphabetical-order.ts";
import { attributesOf } from "../policy/attributes.ts";
import { createNumericalOrder } from "../policy/numerical-order.ts";
import { type CompiledFilter, compileFilter } from "../policy/tag-filter.ts";
import type { TagOrder } from "../policy/tag-order.ts";
import type { TagRules } from "../setters/setter-policies.ts";

/** What a policy says of tags; undefined where its pattern is none. */
export function tryTagRules({ spec }: ImagePolicy): TagRules | undefined {
  const { filterTags, choice } = spec;
  try {
    const filter = filterTags === undefined ? undefined : compileFilter(filterTags);
    const groupNames = filterTags === undefined ? [] : compileRegexp(toBytes(filterTags.pattern)).groupNames;
    const textOf = (tag: string): string | undefined => (filter === undefined ? tag : filter.extract(tag));
    return {
      attributeNames: [...new Set(groupNames.filter((name) => name !== "").map(fromBytes))],
      attributesOf: (tag) => tryAttributes(tag, filter),
      isNewer: (tag, than) => {
        const [left, right] = [textOf(tag), textOf(than)];
        return left !== undefined && right !== undefined && compareTexts(choice, left, right) > 0;
      },
    };
  } catch (error) {
    if (error instanceof GoError || error instanceof FairleadError) return undefined;
    throw error;
  }
}

function tryAttributes(tag: string, filter: CompiledFilter | undefined): Record<string, string> | undefined {
  if (filter === undefined) return {};
  return filter.groupsOf(tag) === undefined ? undefined : { ...attributesOf(tag, filter).attributes };
}

/** Positive where the left text is the later one; zero where the order does not tell. */
function compareTexts(choice: PolicyChoice, left: string, right: string): number {
  switch (choice.kind) {
    case "semver": {
      // A version beyond the range is newer all the same.
      const [one, other] = [tryParseVersion(left), tryParseVersion(right)];
      return one === undefined || other === undefined ? 0 : compareVersions(one, other);
    }
    case "alphabetical":
      return compareRanks(createAlphabeticalOrder(choice.order), left, right);
    default:
      return compareRanks(createNumericalOrder(choice.order), left, right);
  }
}

function compareRanks<Rank>(order: TagOrder<Rank>, left: string, right: string): number {
  try {
    const [one, other] = [order.tryRank(left), order.tryRank(right)];
    return one === undefined || other === undefined ? 0 : order.compare(one, other);
  } catch (error) {
    // A text that spoils a policy has no place in its order.
    if (error instanceof FairleadError) return 0;
    throw error;
  }
}
