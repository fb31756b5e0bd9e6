import { firstComponent } from "./base-rules.ts";
import type { Target } from "./target.ts";

/** Sonatype Nexus Repository: the first component is a repository, unless a subdomain or port stands for it. */
export const nexus: Target = {
  type: "nexus",
  title: "Sonatype Nexus Repository",
  isServedBy: (host) => host.startsWith("nexus."),
  rules: [],
  requiredProject: firstComponent("repository", "routing by subdomain or port"),
};
