import { quoteRune } from "../go/quote.ts";
import { fromBytes } from "../go/utf8.ts";

/** The formats for identifiers, pointers and versions (jsonschema/v6, format.go). */
export const nameFormats: Readonly<Record<string, (text: string) => string | undefined>> = {
  "json-pointer": pointerProblem,
  "relative-json-pointer": relativePointerProblem,
  uuid: uuidProblem,
  semver: versionProblem,
};

function pointerProblem(text: string): string | undefined {
  if (text === "") return undefined;
  if (!text.startsWith("/")) return "not starting with /";
  return /~(?![01])/u.test(text) ? "~ must be followed by 0 or 1" : undefined;
}

function relativePointerProblem(text: string): string | undefined {
  const digits = /^[0-9]*/u.exec(text)?.[0] ?? "";
  if (digits === "") return "must start with non-negative integer";
  if (digits.length > 1 && digits.startsWith("0")) return "starts with zero";
  const rest = text.slice(digits.length);
  return rest === "#" ? undefined : pointerProblem(rest);
}

function uuidProblem(text: string): string | undefined {
  const lengths = [8, 4, 4, 4, 12];
  const groups = text.split("-");
  if (groups.length !== lengths.length) return `must have ${lengths.length} elements`;
  for (const [index, group] of groups.entries()) {
    const length = lengths[index] ?? 0;
    if (group.length !== length) return `element ${index + 1} must be ${length} characters long`;
    const strange = Array.from(group).find((character) => !/[0-9a-fA-F]/u.test(character));
    if (strange !== undefined) return `non-hex character ${quoteCharacter(strange)}`;
  }
  return undefined;
}

/** Semantic Versioning 2.0.0, all three numbers given. */
function versionProblem(text: string): string | undefined {
  const [beforeBuild, build] = cut(text, "+");
  const [core, preRelease] = cut(beforeBuild, "-");
  return buildProblem(build) ?? preReleaseProblem(preRelease) ?? coreProblem(core);
}

function buildProblem(build: string | undefined): string | undefined {
  if (build === undefined) return undefined;
  if (build === "") return "build is empty";
  for (const identifier of build.split(".")) {
    if (identifier === "") return "build identifier is empty";
    const strange = findStrange(identifier);
    if (strange !== undefined) return `invalid character ${quoteCharacter(strange)} in build identifier`;
  }
  return undefined;
}

function preReleaseProblem(preRelease: string | undefined): string | undefined {
  for (const identifier of preRelease?.split(".") ?? []) {
    if (identifier === "") return "pre-release identifier is empty";
    const strange = findStrange(identifier);
    if (strange !== undefined)
      return `invalid character ${quoteCharacter(strange)} in pre-release identifier`;
    if (/^0[0-9]+$/u.test(identifier)) return "pre-release numeric identifier starts with zero";
  }
  return undefined;
}

function coreProblem(core: string): string | undefined {
  const numbers = core.split(".");
  if (numbers.length !== 3) return "versionCore must have 3 numbers separated by dot";
  for (const [index, number] of numbers.entries()) {
    const name = ["major", "minor", "patch"][index] ?? "";
    if (number === "") return `${name} is empty`;
    if (number.length > 1 && number.startsWith("0")) return `${name} starts with zero`;
    if (!/^[0-9]+$/u.test(number)) return `${name} contains non-digit`;
  }
  return undefined;
}

function findStrange(identifier: string): string | undefined {
  return Array.from(identifier).find((character) => !/[0-9A-Za-z-]/u.test(character));
}

function cut(text: string, mark: string): [string, string | undefined] {
  const found = text.indexOf(mark);
  return found === -1 ? [text, undefined] : [text.slice(0, found), text.slice(found + 1)];
}

function quoteCharacter(character: string): string {
  return fromBytes(quoteRune(character.codePointAt(0) ?? 0));
}
