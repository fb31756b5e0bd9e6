import type { TargetRepository, TargetRule } from "./target.ts";

const projectId = /^[a-z][a-z0-9-]{4,28}[a-z0-9]$/u;

/** A path at Google taken apart; `project` has two components where a domain stands before it. */
export interface GooglePath {
  readonly project: string;
  /** What follows the project. */
  readonly rest: readonly string[];
}

/** Takes a path apart: a first component with a dot is the domain of a domain-scoped project. */
export function splitGooglePath({ components }: TargetRepository): GooglePath {
  const length = components[0]?.includes(".") === true ? 2 : 1;
  return { project: components.slice(0, length).join("/"), rest: components.slice(length) };
}

/** A project's ID as Google's resource manager allows it. */
export const googleProjectRule: TargetRule = {
  name: "google-project",
  requirement:
    "a Google Cloud project's ID has 6 to 30 lower-case letters, digits and dashes, starts with a letter and does not end with a dash",
  holds: (repository) => projectId.test(splitGooglePath(repository).project.split("/").at(-1) ?? ""),
};
