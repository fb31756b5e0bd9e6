import type { Where } from "./error.ts";

export type Severity = "error" | "warning" | "info";

/**
 * The closed set of findings. A finding is part of a result: the work went on, and the reader is told.
 * `unsupported-structure` and `template-in-value` are what `--strict` refuses (document 002, §6.1.1).
 */
export type DiagnosticCode =
  | "duplicate-key"
  | "chart-oddity"
  | "dependency-disabled"
  | "values-type-conflict"
  | "reference-unparsable"
  | "unsupported-structure"
  | "template-in-value"
  | "spelling-differs"
  | "set-wins"
  | "target-rule-broken"
  | "target-collision"
  | "side-setting-added"
  | "image-not-moved"
  | "image-misplaced"
  | "unexpected-change"
  | "render-failed"
  | "not-rendered"
  | "residual-incomplete"
  | "unverified"
  | "object-invalid"
  | "tag-unparsable"
  | "attribute-reserved"
  | "attribute-unmatched"
  | "marker-unknown"
  | "file-unparsable"
  | "file-refused"
  | "downgrade-refused"
  | "image-missing"
  | "image-not-followed"
  | "image-spec-invalid"
  | "image-spec-stale";

export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  /** One sentence, without the location. */
  readonly message: string;
  readonly where: Where;
  readonly hint?: string;
  /** The image that the finding is about, as the chart writes or renders it. */
  readonly image?: string;
  /** True where `--strict` turns this finding into exit code 5. */
  readonly unsupported?: boolean;
}
