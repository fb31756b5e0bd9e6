import type { ImageReference } from "../../reference/reference.ts";
import { dockerHub, registryIdentity } from "../../reference/registry-host.ts";
import type { TargetType } from "../targets/target.ts";

/**
 * Whether Docker Hub's official images keep `library/` in their path at the target:
 * - `table`: as document 002's matrix has it (§7.2): a reference without a registry gets it (`postgres:14` →
 *   `library/postgres`), one that names Docker Hub stays as written (`docker.io/nginx:1.23` → `nginx`);
 * - `always`: every official image has it, so that two spellings of one image stay one image;
 * - `never`: no official image has it.
 */
export type LibraryRule = "table" | "always" | "never";

export const libraryRules: readonly LibraryRule[] = ["table", "always", "never"];

/**
 * The rule that a target needs: at ECR `table` means `always`, as its pull-through caches find official images
 * only with `library/` (Amazon ECR user guide, pull-through cache); `never` stays what the user asked for.
 */
export function libraryRuleFor(rule: LibraryRule, type: TargetType): LibraryRule {
  return rule === "table" && type === "ecr" ? "always" : rule;
}

/** The path of the source under the rule. */
export function sourcePath(reference: ImageReference, rule: LibraryRule): string {
  if (registryIdentity(reference.registry) !== dockerHub) return reference.path;
  const { path, writtenPath } = reference;
  if (rule === "always") return path.includes("/") ? path : `library/${path}`;
  if (rule === "never") return path.replace(/^library\/(?=[^/]+$)/u, "");
  return reference.writtenRegistry === undefined ? path : writtenPath;
}
