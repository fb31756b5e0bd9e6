import { hostWithoutPort } from "../../reference/registry-host.ts";
import type { ImageReference } from "../../reference/reference.ts";
import { acr } from "./acr.ts";
import { baseRules } from "./base-rules.ts";
import { dockerhub } from "./dockerhub.ts";
import { ecr } from "./ecr.ts";
import { gar } from "./gar.ts";
import { gcr } from "./gcr.ts";
import { generic } from "./generic.ts";
import { ghcr } from "./ghcr.ts";
import { harbor } from "./harbor.ts";
import { jfrog } from "./jfrog.ts";
import { nexus } from "./nexus.ts";
import { quay } from "./quay.ts";
import type {
  ProjectAtTarget,
  Target,
  TargetRegistry,
  TargetRepository,
  TargetRuleViolation,
  TargetType,
} from "./target.ts";

const targets: Readonly<Record<TargetType, Target>> = {
  harbor,
  ecr,
  gar,
  gcr,
  acr,
  quay,
  ghcr,
  dockerhub,
  jfrog,
  nexus,
  generic,
};

/** Every kind of target, `generic` last. */
export const targetTypes: readonly TargetType[] = Object.keys(targets) as TargetType[];

/** The name of a kind of target, for people. */
export function targetTitle(type: TargetType): string {
  return targets[type].title;
}

/** The kind that `host[:port]` gives away; `generic` where it gives nothing away. */
export function detectTargetType(host: string): TargetType {
  const bare = hostWithoutPort(host).toLowerCase();
  return targetTypes.find((type) => targets[type].isServedBy(bare)) ?? "generic";
}

/** The rules of the target, and those that all targets share, that a reference at the target breaks. */
export function checkTarget(
  reference: ImageReference,
  target: TargetRegistry,
): readonly TargetRuleViolation[] {
  const repository = toRepository(reference);
  return [...baseRules, ...targets[target.type].rules]
    .filter((rule) => !rule.holds(repository))
    .map(({ name, requirement }) => ({
      rule: name,
      message: `${repository.host}/${repository.path} breaks a naming rule of ${targetTitle(target.type)}: ${requirement}`,
    }));
}

/** An image at its target. */
export interface TargetImage {
  readonly reference: ImageReference;
  readonly target: TargetRegistry;
}

/** What must exist at the targets for these images, each once, sorted by host and name. */
export function requiredProjects(images: readonly TargetImage[]): readonly ProjectAtTarget[] {
  const projects = new Map<string, ProjectAtTarget>();
  for (const { reference, target } of images) {
    const project = targets[target.type].requiredProject(toRepository(reference));
    const { registry: host } = reference;
    if (project !== undefined) projects.set(`${host}/${project.name}`, { host, ...project });
  }
  return [...projects].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, project]) => project);
}

function toRepository({ registry, path, tag }: ImageReference): TargetRepository {
  return { host: registry, path, components: path.split("/"), tag };
}
