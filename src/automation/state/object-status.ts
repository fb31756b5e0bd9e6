import type { LatestReference } from "../objects/image-policy.ts";

/** A condition of a Kubernetes object, as Flux's objects have them. */
export interface Condition {
  readonly type: "Ready" | "Reconciling" | "Stalled";
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
}

interface CommonStatus {
  readonly conditions: readonly Condition[];
  /** The last value of `reconcile.fluxcd.io/requestedAt` that was acted upon. */
  readonly lastHandledReconcileAt?: string;
  /** What the object said when this status was made: a digest of its specification. */
  readonly observedSpec?: string;
}

/** What is known of an ImageRepository; the tags stand beside it. */
export interface RepositoryStatus extends CommonStatus {
  readonly canonicalImageName?: string;
  readonly observedExclusionList?: readonly string[];
  readonly lastScan?: {
    /** A checksum over the tags. */
    readonly revision: string;
    readonly tagCount: number;
    readonly timeMs: number;
    /** The first ten, from the end of the alphabet. */
    readonly latestTags: readonly string[];
  };
}

/** What is known of an ImagePolicy. */
export interface PolicyStatus extends CommonStatus {
  readonly latestRef?: LatestReference;
  readonly observedPreviousRef?: LatestReference;
  /** When a digest that is always reflected was last asked for. */
  readonly digestTimeMs?: number;
}

/** What is known of an ImageUpdateAutomation. */
export interface AutomationStatus extends CommonStatus {
  readonly lastAutomationRunTimeMs?: number;
  readonly lastPushCommit?: string;
  readonly lastPushTimeMs?: number;
  /** By the policies' names. */
  readonly observedPolicies?: Readonly<Record<string, LatestReference>>;
  readonly observedSourceRevision?: string;
  /** Where the branch that is pushed was left, where it is not the one that is checked out. */
  readonly observedPushCommit?: string;
  /** Commits that were about to be pushed, and of which nobody was told. */
  readonly pendingPush?: string | undefined;
}

export interface Statuses {
  readonly ImageRepository: RepositoryStatus;
  readonly ImagePolicy: PolicyStatus;
  readonly ImageUpdateAutomation: AutomationStatus;
}

export type StatusKind = keyof Statuses;
