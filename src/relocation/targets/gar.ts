import { googleProjectRule, splitGooglePath } from "./google-project.ts";
import type { Target } from "./target.ts";

const repositoryId = /^[a-z][a-z0-9-]{0,61}[a-z0-9]$/u;

/** Google Artifact Registry: `LOCATION-docker.pkg.dev/PROJECT/REPOSITORY/IMAGE`. */
export const gar: Target = {
  type: "gar",
  title: "Google Artifact Registry",
  isServedBy: (host) => host.endsWith("-docker.pkg.dev"),
  rules: [
    {
      name: "gar-path",
      requirement: "a path has the form project/repository/image",
      holds: (repository) => splitGooglePath(repository).rest.length >= 2,
    },
    googleProjectRule,
    {
      name: "gar-repository",
      requirement:
        "an Artifact Registry repository has 2 to 63 lower-case letters, digits and dashes, starts with a letter and does not end with a dash",
      holds: (repository) => repositoryId.test(splitGooglePath(repository).rest[0] ?? ""),
    },
  ],
  requiredProject: (repository) => {
    const { project, rest } = splitGooglePath(repository);
    return rest.length < 2 ? undefined : { kind: "repository", name: `${project}/${rest[0] ?? ""}` };
  },
};
