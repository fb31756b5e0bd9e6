import type { Diagnostic } from "../../core/diagnostic.ts";
import type { Where } from "../../core/error.ts";
import type { ImageSpec } from "../../reference/image-spec.ts";
import type { YamlMap } from "../../yaml/value.ts";
import type { RenderedPlace, Verdict } from "../result.ts";

/** An image in scope of the new version. */
export interface CheckedImage {
  readonly source: string;
  readonly sourceSpec?: ImageSpec;
  readonly target?: string;
  readonly targetSpec?: ImageSpec;
  readonly isCovered: boolean;
  /** False where only values that nothing renders hold it, or only a chart with more switched on shows it. */
  readonly rendered: boolean;
  /** Why it is not covered. */
  readonly reason?: string;
  readonly values: readonly Where[];
  readonly places: readonly RenderedPlace[];
}

/** A leaf of an override that changes nothing in the new version. */
export interface DeadLeaf {
  readonly path: string;
  /** `gone`: the new version has no such value; `unread`: it has, and nothing that it renders comes from it. */
  readonly reason: "gone" | "unread";
}

/** What the override would have to set beside what it sets. */
export interface MissingLeaves {
  readonly values: YamlMap;
  readonly yaml: string;
  /** That of the override with these leaves. */
  readonly verdict: Verdict;
}

/** What an override that is there already does to the new version of its chart. */
export interface OverrideCheck {
  readonly file: string;
  /** As `fairlead verify` has it. */
  readonly verdict: Verdict;
  readonly images: readonly CheckedImage[];
  readonly deadLeaves: readonly DeadLeaf[];
  /** Absent where nothing is missing that a value could set. */
  readonly missing?: MissingLeaves;
  readonly diagnostics: readonly Diagnostic[];
}
