import { firstComponent } from "./base-rules.ts";
import type { Target } from "./target.ts";

/** A registry of no known kind. Many make a namespace with the first push; a pull-through one is set up first. */
export const generic: Target = {
  type: "generic",
  title: "any other registry",
  isServedBy: () => true,
  rules: [],
  requiredProject: firstComponent("namespace"),
};
