/** The kinds of registry whose naming rules are known; `generic` has only the rules that all share. */
export type TargetType =
  | "harbor"
  | "ecr"
  | "gar"
  | "gcr"
  | "acr"
  | "quay"
  | "ghcr"
  | "dockerhub"
  | "jfrog"
  | "nexus"
  | "generic";

/** Where images are to come from. */
export interface TargetRegistry {
  /** `host[:port]` in lower case, `docker.io` for Docker Hub. */
  readonly host: string;
  /** What every path there begins with, such as `proxied-images`; empty where it is the whole registry. */
  readonly basePath: string;
  readonly type: TargetType;
}

/** A repository at a target. */
export interface TargetRepository {
  /** `host[:port]`. */
  readonly host: string;
  readonly path: string;
  /** The path's components. */
  readonly components: readonly string[];
  readonly tag?: string | undefined;
}

export interface TargetRule {
  /** Such as `harbor-project`; stable, for reports. */
  readonly name: string;
  /** What has to hold, as a sentence without its full stop. */
  readonly requirement: string;
  readonly holds: (repository: TargetRepository) => boolean;
}

export interface TargetRuleViolation {
  /** The name of the broken {@link TargetRule}. */
  readonly rule: string;
  /** One sentence with the repository and the requirement. */
  readonly message: string;
}

/** What has to exist at a registry before an image can be pulled from there or pushed to it. */
export interface RequiredProject {
  /** The target's own term, such as `project` or `repository`. */
  readonly kind: string;
  /** The path of it, without the host. */
  readonly name: string;
  /** What serves in its place, such as a pull-through rule. */
  readonly alternative?: string;
}

/** A {@link RequiredProject} of a run, and the registry that it belongs to. */
export interface ProjectAtTarget extends RequiredProject {
  /** `host[:port]`. */
  readonly host: string;
}

/** What one kind of registry is known by, and asks for. */
export interface Target {
  readonly type: TargetType;
  readonly title: string;
  /** Whether a host (lower case, without its port) tells this kind of registry. */
  readonly isServedBy: (host: string) => boolean;
  readonly rules: readonly TargetRule[];
  /** What the repository needs at the target; undefined where nothing does. */
  readonly requiredProject: (repository: TargetRepository) => RequiredProject | undefined;
}
