import type { Diagnostic } from "../../core/diagnostic.ts";
import type { Where } from "../../core/error.ts";
import type { ImageSpec } from "../../reference/image-spec.ts";
import type { RenderedPlace } from "../result.ts";

/**
 * What became of an image between two versions of a chart:
 * - `changed`: the same repository with another tag or digest;
 * - `moved`: another repository at the same place, where the first is gone from the chart and the second new to it;
 * - `switched-on`, `switched-off`: the same image, which only the new or only the old version renders.
 */
export type ChangeKind =
  | "added"
  | "removed"
  | "changed"
  | "moved"
  | "switched-on"
  | "switched-off"
  | "unchanged";

/** An image as one version of a chart has it. */
export interface ImageVersion {
  /** The reference as the chart writes or renders it. */
  readonly source: string;
  readonly spec: ImageSpec;
  /** False where only values that nothing renders hold it. */
  readonly rendered: boolean;
  readonly places: readonly RenderedPlace[];
  readonly values: readonly Where[];
}

/** A value path that an image comes from, and the one that it came from before. */
export interface RenamedValue {
  readonly from: string;
  readonly to: string;
}

export interface ImageChange {
  readonly change: ChangeKind;
  /** `registry/path`, normalised: the new one where there are two. */
  readonly repository: string;
  /** Absent where it is added. */
  readonly old?: ImageVersion;
  /** Absent where it is removed. */
  readonly new?: ImageVersion;
  readonly renamedValues: readonly RenamedValue[];
}

interface ComparedChart {
  readonly name: string;
  readonly version: string;
  readonly path: string;
}

/** What a chart upgrade does to the images. */
export interface UpgradeComparison {
  readonly old: ComparedChart;
  readonly new: ComparedChart;
  /** Whether both were rendered; else both are compared by what their values look like. */
  readonly rendered: boolean;
  readonly counts: Readonly<Record<ChangeKind, number>>;
  /** By repository; those that did not change too. */
  readonly images: readonly ImageChange[];
  /** Those of all images. */
  readonly renamedValues: readonly RenamedValue[];
  readonly diagnostics: readonly Diagnostic[];
}

const kindsToFetch: ReadonlySet<ChangeKind> = new Set(["added", "changed", "moved", "switched-on"]);

/** Whether the new version pulls an image that the old one did not. */
export function isToBeFetched({ change }: ImageChange): boolean {
  return kindsToFetch.has(change);
}
