import type { NamespacedReference, ObjectMeta } from "../../objects/object-meta.ts";
import type { LabelSelector } from "../../objects/label-selector.ts";
import type { GitRef } from "./git-repository.ts";

/** Flux's ImageUpdateAutomation (`image.toolkit.fluxcd.io/v1`): where chosen images are written in Git. */
export interface ImageUpdateAutomation {
  readonly kind: "ImageUpdateAutomation";
  readonly meta: ObjectMeta;
  readonly spec: ImageUpdateAutomationSpec;
}

export interface ImageUpdateAutomationSpec {
  readonly intervalMs: number;
  /** Always a GitRepository. */
  readonly sourceRef: NamespacedReference;
  /** Undefined: every policy of the namespace. */
  readonly policySelector?: LabelSelector;
  readonly suspend: boolean;
  /** The folder below which files are updated; default: the whole tree. */
  readonly updatePath: string;
  readonly git: AutomationGit;
}

export interface AutomationGit {
  /** Takes the place of the GitRepository's own ref as a whole. */
  readonly checkoutRef?: GitRef;
  readonly commit: {
    readonly author: { readonly email: string; readonly name?: string };
    /** A Go template; default: `Update from image update automation`. */
    readonly messageTemplate?: string;
    readonly messageTemplateValues: Readonly<Record<string, string>>;
    readonly signingKey?: { readonly secretName: string; readonly type: "gpg" | "ssh" };
  };
  readonly push?: {
    readonly branch?: string;
    readonly refspec?: string;
    readonly options: Readonly<Record<string, string>>;
  };
}
