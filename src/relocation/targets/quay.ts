import { atLeastComponents, firstComponent } from "./base-rules.ts";
import type { Target } from "./target.ts";

const namespace = /^[a-z0-9]+(?:[._-][a-z0-9]+)*$/u;

/** Quay.io and Red Hat Quay; deeper paths than organisation/repository are on by default since Quay 3.6. */
export const quay: Target = {
  type: "quay",
  title: "Quay",
  isServedBy: (host) => host === "quay.io",
  rules: [
    atLeastComponents("quay-path", 2, "organisation/repository"),
    {
      name: "quay-organisation",
      requirement:
        "a Quay organisation has 2 to 255 lower-case letters and digits, separated by one dot, underscore or dash",
      holds: ({ components: [name = ""] }) => name.length >= 2 && name.length <= 255 && namespace.test(name),
    },
  ],
  requiredProject: firstComponent("organisation"),
};
