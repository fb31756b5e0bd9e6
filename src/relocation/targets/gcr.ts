import { googleProjectRule, splitGooglePath } from "./google-project.ts";
import type { Target } from "./target.ts";

/** Google Container Registry's hosts: `gcr.io/PROJECT/IMAGE`, at any depth. */
export const gcr: Target = {
  type: "gcr",
  title: "Google Container Registry",
  isServedBy: (host) => host === "gcr.io" || host.endsWith(".gcr.io"),
  rules: [
    {
      name: "gcr-path",
      requirement: "a path has the form project/image",
      holds: (repository) => splitGooglePath(repository).rest.length > 0,
    },
    googleProjectRule,
  ],
  requiredProject: (repository) => {
    const { project, rest } = splitGooglePath(repository);
    return rest.length === 0 ? undefined : { kind: "project", name: project };
  },
};
