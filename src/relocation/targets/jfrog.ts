import { firstComponent } from "./base-rules.ts";
import type { Target } from "./target.ts";

/**
 * JFrog Artifactory, taken as routed by path: the first component is a repository key. Where the key is part
 * of the host or stands for a port, it is not in the path, so that a single component is accepted.
 */
export const jfrog: Target = {
  type: "jfrog",
  title: "JFrog Artifactory",
  isServedBy: (host) => host.endsWith(".jfrog.io"),
  rules: [
    {
      name: "jfrog-repository-key",
      requirement: "an Artifactory repository key has at most 64 characters and no underscore",
      holds: ({ components: [key = "", ...rest] }) =>
        rest.length === 0 || (key.length <= 64 && !key.includes("_")),
    },
  ],
  requiredProject: firstComponent("repository key", "routing by subdomain or port"),
};
