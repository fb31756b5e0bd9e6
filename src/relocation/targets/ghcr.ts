import { atLeastComponents, firstComponent } from "./base-rules.ts";
import type { Target } from "./target.ts";

/** A GitHub account; an underscore stands only before an enterprise's short code. */
const owner = /^[a-z0-9]+(?:[_-][a-z0-9]+)*$/u;

/** GitHub's container registry: `ghcr.io/OWNER/IMAGE`, at any depth. */
export const ghcr: Target = {
  type: "ghcr",
  title: "GitHub Packages",
  isServedBy: (host) => host === "ghcr.io",
  rules: [
    atLeastComponents("ghcr-path", 2, "owner/image"),
    {
      name: "ghcr-owner",
      requirement: "a GitHub owner has letters and digits, separated by one dash, and no dots",
      holds: ({ components: [name = ""] }) => owner.test(name),
    },
  ],
  requiredProject: firstComponent("owner"),
};
