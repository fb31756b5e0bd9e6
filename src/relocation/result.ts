import type { Diagnostic } from "../core/diagnostic.ts";
import type { Where } from "../core/error.ts";
import type { ImageSpec } from "../reference/image-spec.ts";
import type { ProjectAtTarget } from "./targets/target.ts";

/**
 * What became of one image:
 * - `moved`: a rendering with the override shows exactly the planned reference;
 * - `planned`: the override sets it, nothing has rendered it;
 * - `not-moved`: in scope, and neither of the above; `reason` says why;
 * - `out-of-scope`: its registry is none of the sources;
 * - `excluded`: its registry is excluded;
 * - `at-target`: it already is under the target registry.
 */
export type ImageStatus = "moved" | "planned" | "not-moved" | "out-of-scope" | "excluded" | "at-target";

/** A field of a rendered manifest. */
export interface RenderedPlace {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** The field as a path, such as `spec.template.spec.containers[0].image`. */
  readonly field: string;
  /** The container's name, where the field belongs to a container. */
  readonly container?: string;
  /** The template that rendered it, as helm's `# Source:` line names it. */
  readonly template?: string;
  /** How the image stands there. */
  readonly form: "container" | "custom-resource" | "embedded";
}

/**
 * What the target has under an image's new name: `same` where the digest is that of the source or of the reference,
 * `present` where it was not compared.
 */
export interface ImageAtTarget {
  readonly status: "same" | "present" | "missing" | "different";
  readonly digest?: string;
  /** Where the source was asked and answered. */
  readonly sourceDigest?: string;
}

/** How many images a check of the target found in which {@link ImageAtTarget} state. */
export interface TargetCheck {
  readonly checked: number;
  readonly same: number;
  readonly present: number;
  readonly missing: number;
  readonly different: number;
}

/** One image of a chart: each reference text is one image, wherever it stands. */
export interface ImageFinding {
  /** The reference as the chart writes or renders it. */
  readonly source: string;
  readonly sourceSpec?: ImageSpec;
  /** The planned reference; absent where nothing is planned. */
  readonly target?: string;
  readonly targetSpec?: ImageSpec;
  readonly status: ImageStatus;
  readonly reason?: string;
  /** The values that hold it, with file and line where known. */
  readonly values: readonly Where[];
  /** Where it was rendered; empty when nothing rendered it. */
  readonly places: readonly RenderedPlace[];
  /** False where it belongs to something that is switched off. */
  readonly enabled: boolean;
  /** True for an image that the chart shows only with more switched on; absent for others. */
  readonly explored?: true;
  /** Where the target was asked for it. */
  readonly atTarget?: ImageAtTarget;
}

/** Document 002 §7.1 and §9.3, and UNVERIFIED for an override that nothing has rendered. */
export type VerdictStatus = "OK" | "WARNING" | "CRITICAL" | "UNVERIFIED";

export interface Verdict {
  readonly status: VerdictStatus;
  /** Images in scope. */
  readonly images: number;
  readonly moved: number;
  /** Percent, 0 to 100; 100 where no image is in scope. */
  readonly rate: number;
  /** Percent; a rate below it fails. */
  readonly threshold: number;
  /** Whether the chart renders with the override: document 002's "Chart Install". */
  readonly chartInstall: "passed" | "failed" | "not-run";
  /** One sentence such as `98.2% images matched (3/306 failed)`. */
  readonly details: string;
}

/** What stays to be changed after the override, and what both come to together. */
export interface ResidualSummary {
  readonly objects: number;
  readonly fields: number;
  /** Those of the objects that are hooks: Helm 3 keeps them from post-renderers. */
  readonly hooks: number;
  /** That of the override with the residual plan applied to what it renders. */
  readonly verdict: Verdict;
}

/** Everything fairlead knows about one chart after a run; the JSON report is this object. */
export interface ChartResult {
  readonly chart: { readonly name: string; readonly version: string; readonly path: string };
  readonly targetRegistry: string;
  readonly verdict: Verdict;
  readonly images: readonly ImageFinding[];
  readonly diagnostics: readonly Diagnostic[];
  /** The override as YAML text; `{}` where nothing is to do. */
  readonly override: string;
  /** What must exist at the targets for the images that move. */
  readonly projects: readonly ProjectAtTarget[];
  /** Where a residual plan was asked for and the chart was rendered. */
  readonly residual?: ResidualSummary;
  /** Where the target was asked for the images. */
  readonly targetCheck?: TargetCheck;
}

/** A chart of a survey that could not be worked on at all. */
export interface ChartFailure {
  readonly chart: { readonly path: string };
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly where: Where;
    readonly hint?: string;
  };
  readonly exitCode: number;
}

/** One chart of a survey. `exitCode` is what `fairlead override` would have ended with. */
export type SurveyEntry =
  | { readonly result: ChartResult; readonly exitCode: number; readonly durationMs: number }
  | { readonly failure: ChartFailure; readonly exitCode: number; readonly durationMs: number };
