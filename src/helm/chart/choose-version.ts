import { FairleadError } from "../../core/error.ts";
import { compareVersions, tryParseVersion, VersionError, type Version } from "./version.ts";
import { parseVersionRange, satisfiesRange, type VersionRange } from "./version-range.ts";

/**
 * The version that Helm takes of those that there are: the text itself where it is one of them, else the newest
 * in the range; of equal ones, the first. Without a range, the newest that is no pre-release
 * (helm.sh/helm/v3, repo.IndexFile.Get). What is no version counts for nothing.
 * @returns undefined where none fits
 * @throws FairleadError `input-invalid` for a range that cannot be read
 */
export function chooseVersion(versions: readonly string[], wanted = "*"): string | undefined {
  if (versions.includes(wanted)) return wanted;
  const range = parseRange(wanted);
  let best: Version | undefined;
  for (const version of versions.map((text) => tryParseVersion(text))) {
    if (version === undefined || !satisfiesRange(version, range)) continue;
    if (best === undefined || compareVersions(version, best) > 0) best = version;
  }
  return best?.original;
}

function parseRange(text: string): VersionRange {
  try {
    return parseVersionRange(text);
  } catch (error) {
    if (!(error instanceof VersionError)) throw error;
    throw new FairleadError(
      "input-invalid",
      `the version ${JSON.stringify(text)} is no range: ${error.message}`,
      {
        hint: "give a version such as 1.2.3, or a range such as '^1.2' or '>=1 <3'",
      },
    );
  }
}
