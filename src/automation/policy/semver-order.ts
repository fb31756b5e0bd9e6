import { FairleadError } from "../../core/error.ts";
import { excerpt } from "../../core/escape.ts";
import { parseVersionRange, satisfiesRange, type VersionRange } from "../../helm/chart/version-range.ts";
import { compareVersions, tryParseVersion, VersionError, type Version } from "../../helm/chart/version.ts";
import { fromBytes, toBytes } from "../../helm/go/utf8.ts";
import type { TagOrder, Unranked } from "./tag-order.ts";

/**
 * Semantic versions within a range, by Masterminds/semver v3; a version must have three parts.
 * Where two are equal, such as `v1.0.0` and `1.0.0`, the greater text wins, as it is the first that Flux reads.
 * @throws FairleadError `policy-invalid` for what is no range, in Flux's words
 */
export function createSemverOrder(rangeText: string): TagOrder<Version> {
  const range = parseRange(rangeText);
  return {
    tryRank: (text) => {
      const version = hasThreeParts(text) ? tryParseVersion(text) : undefined;
      return version !== undefined && satisfiesRange(version, range) ? version : undefined;
    },
    compare: compareVersions,
    greaterTextWins: true,
    explainUnranked: (text) => explainUnranked(text, range),
  };
}

function parseRange(text: string): VersionRange {
  try {
    return parseVersionRange(toBytes(text));
  } catch (cause) {
    if (!(cause instanceof VersionError)) throw cause;
    throw new FairleadError("policy-invalid", `invalid policy: ${excerpt(fromBytes(cause.message))}`, {
      hint: "a range is written such as '>=1.0.0 <2.0.0', '^1.2' or '1.x || 3.x'; '*' is every release",
      cause,
    });
  }
}

/** As Flux asks for them (fluxcd/pkg/version): two dots at least, wherever they stand. */
function hasThreeParts(text: string): boolean {
  const dot = text.indexOf(".");
  return dot !== -1 && text.includes(".", dot + 1);
}

function explainUnranked(text: string, range: VersionRange): Unranked {
  if (!hasThreeParts(text)) return { reason: "unparsable", detail: "a version has three parts" };
  const version = tryParseVersion(text);
  if (version === undefined) return { reason: "unparsable", detail: "no semantic version" };
  const namesPreRelease = range.some((group) => group.some((bound) => bound.version.preRelease !== ""));
  return {
    reason: "out-of-range",
    detail:
      version.preRelease !== "" && !namesPreRelease
        ? "a pre-release, of which the range names none"
        : "not in the range",
  };
}
