import { atLeastComponents, firstComponent } from "./base-rules.ts";
import type { Target } from "./target.ts";

const project = /^[a-z0-9]+(?:[._-][a-z0-9]+)*$/u;

/** Harbor: the first component is a project, in most set-ups a proxy cache, which refuses pushes. */
export const harbor: Target = {
  type: "harbor",
  title: "Harbor",
  isServedBy: (host) => host.startsWith("harbor."),
  rules: [
    atLeastComponents("harbor-repository", 2, "project/repository"),
    {
      name: "harbor-project",
      requirement:
        "a Harbor project has 1 to 255 lower-case letters and digits, separated by one dot, underscore or dash",
      holds: ({ components: [name = ""] }) => name.length <= 255 && project.test(name),
    },
  ],
  requiredProject: firstComponent("project"),
};
