import { isDockerHubHost } from "../../reference/registry-host.ts";
import { firstComponent } from "./base-rules.ts";
import type { Target } from "./target.ts";

/** Docker Hub: `docker.io/NAMESPACE/REPOSITORY`, no deeper. */
export const dockerhub: Target = {
  type: "dockerhub",
  title: "Docker Hub",
  isServedBy: isDockerHubHost,
  rules: [
    {
      name: "dockerhub-path",
      requirement: "a path at Docker Hub has the form namespace/repository and is no deeper",
      holds: ({ components }) => components.length === 2,
    },
  ],
  requiredProject: firstComponent("namespace"),
};
