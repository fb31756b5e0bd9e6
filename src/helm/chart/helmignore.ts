import { FairleadError } from "../../core/error.ts";
import { type FilePattern, matchesFilePattern, tryParseFilePattern } from "./file-pattern.ts";

/** Says whether a file or folder is to be left out; `name` is relative to the chart, with forward slashes. */
export type IgnoreRules = (name: string, isDirectory: boolean) => boolean;

interface IgnoreRule {
  readonly pattern: FilePattern;
  readonly negated: boolean;
  readonly directoriesOnly: boolean;
  /** A pattern without a slash is compared with the last part of the name only. */
  readonly baseNameOnly: boolean;
}

const defaultRule = "templates/.?*";

/**
 * Parses a `.helmignore` file (Helm 3.22, pkg/ignore) and adds Helm's default rule, which leaves out hidden
 * files of templates/. The first rule that speaks decides. As in Helm, a negated rule leaves out whatever
 * it does *not* match, and never brings anything back.
 * @throws FairleadError `chart-invalid` for `**` and malformed patterns.
 */
export function parseHelmignore(text: string, file: string): IgnoreRules {
  const rules = `${text.replace(/^\uFEFF/u, "")}\n${defaultRule}`
    .split("\n")
    .map((line, index) => parseRule(line.trim(), file, index + 1))
    .filter((rule) => rule !== undefined);
  return (name, isDirectory) => {
    for (const rule of rules) {
      const matches = (isDirectory || !rule.directoriesOnly) && matchesRule(rule, name);
      if (matches !== rule.negated) return true;
    }
    return false;
  };
}

function matchesRule(rule: IgnoreRule, name: string): boolean {
  return matchesFilePattern(rule.pattern, rule.baseNameOnly ? name.slice(name.lastIndexOf("/") + 1) : name);
}

function parseRule(rule: string, file: string, line: number): IgnoreRule | undefined {
  if (rule === "" || rule.startsWith("#")) return undefined;
  if (rule.includes("**")) {
    throw new FairleadError("chart-invalid", "double-star (**) is not supported in .helmignore", {
      where: { file, line },
    });
  }
  const negated = rule.startsWith("!");
  const directoriesOnly = rule.endsWith("/");
  const body = rule.slice(negated ? 1 : 0, directoriesOnly ? -1 : undefined);
  const pattern = tryParseFilePattern(body.replace(/^\//u, ""));
  if (tryParseFilePattern(rule) === undefined || pattern === undefined) {
    throw new FairleadError("chart-invalid", `malformed pattern ${JSON.stringify(rule)} in .helmignore`, {
      where: { file, line },
    });
  }
  return { pattern, negated, directoriesOnly, baseNameOnly: !body.includes("/") };
}
