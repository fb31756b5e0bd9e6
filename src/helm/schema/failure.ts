import { quoteSingle } from "./describe.ts";
import { appendStep } from "./pointer.ts";

/** The way to a value inside what is validated; undefined for the whole. */
export interface InstancePath {
  readonly parent: InstancePath | undefined;
  readonly step: string;
}

/** Why a value is not valid, with the failures that it is made of. Messages are only made for what is told. */
export interface Failure {
  readonly path: InstancePath | undefined;
  readonly describe: () => string;
  readonly causes: readonly Failure[];
  /** A `group` stands for several; a `reference` for what the schema referred to says. */
  readonly kind?: "group" | "reference";
}

/** Several failures as one. */
export function groupOf(path: InstancePath | undefined, causes: readonly Failure[]): Failure {
  return { path, describe: describeSeveral, causes, kind: "group" };
}

/** What the schema that a keyword refers to says. */
export function referenceTo(path: InstancePath | undefined, causes: readonly Failure[]): Failure {
  return { path, describe: describeSeveral, causes, kind: "reference" };
}

function describeSeveral(): string {
  return "validation failed";
}

/** The failures that stand at the top for this one. */
export function topFailures(failure: Failure): readonly Failure[] {
  return failure.kind === "group" ? failure.causes : [failure];
}

/** Failures as lines, each cause indented below what it makes fail (jsonschema/v6, output.go). */
export function formatFailures(failures: readonly Failure[], indent = 0): string[] {
  return failures.flatMap((failure) => {
    if (failure.kind === "reference" && failure.causes.length === 1) {
      return formatFailures(failure.causes, indent);
    }
    const line = `${"  ".repeat(indent)}- at ${quoteSingle(pointerOf(failure.path))}: ${failure.describe()}`;
    return [line, ...formatFailures(failure.causes, indent + 1)];
  });
}

function pointerOf(path: InstancePath | undefined): string {
  const steps: string[] = [];
  for (let current = path; current !== undefined; current = current.parent) steps.unshift(current.step);
  return appendStep("", ...steps);
}
