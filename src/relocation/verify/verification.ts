import { setTimeout } from "node:timers/promises";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { FairleadError } from "../../core/error.ts";
import type { Redactor } from "../../core/redaction.ts";
import type { Text } from "../../helm/go/value.ts";
import type { ImageReference } from "../../reference/reference.ts";
import type { YamlMap } from "../../yaml/value.ts";
import type { Relocator } from "../relocator.ts";
import { compareRenderings, type Comparison, type VolatilePlaces } from "./comparison.ts";
import { alignManifests, differencesOf, type Difference } from "./difference.ts";
import type { Replacement } from "./explain-change.ts";
import { parseManifests, parseTracedManifests, type Manifest } from "../rendering/manifest.ts";

/** Renders one chart with one set of values, with or without an override on top. */
export interface ChartRenderer {
  /** @param override the override as YAML; undefined for the chart as it is. */
  render(override: string | undefined): Promise<ChartRendering>;
}

export type ChartRendering =
  | {
      readonly ok: true;
      readonly manifests: string;
      /** The manifests as Go's bytes with what they come from, where the renderer knows. */
      readonly traced?: Text;
    }
  | { readonly ok: false; readonly message: string };

export interface VerificationInput {
  readonly renderer: ChartRenderer;
  /** The chart as the same renderer rendered it without the override, where it has; default: it is rendered. */
  readonly before?: ChartRendering | undefined;
  readonly override: string;
  /** What the chart is rendered with in place of the override to compare with it, as YAML; default: nothing. */
  readonly baseline?: string | undefined;
  /** What the plan sets: a chart may print it. */
  readonly planned: YamlMap;
  readonly relocator: Relocator;
  readonly isKnownHost: (host: string) => boolean;
  readonly plannedFor: (reference: ImageReference) => readonly ImageReference[];
  readonly replacements: readonly Replacement[];
  readonly excludeTests: boolean;
  /** Takes out of rendered texts what must not be told. */
  readonly redact: Redactor;
}

export interface Verification extends Comparison {
  readonly chartInstall: "passed" | "failed";
  /** Whether the chart renders no object at all, so that there is nothing that could prove an override. */
  readonly isEmpty: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * How long to wait before the unchanged chart is rendered again to see what changes by itself: not at all for
 * what is random, and past the next second for what is a time.
 */
const retryDelaysMs: readonly number[] = [0, 1100];

/**
 * Renders the chart without and with the override and compares every image and everything else.
 * @throws FairleadError `render-failed` when the chart does not render as it is.
 */
export async function verifyOverride(input: VerificationInput): Promise<Verification> {
  const [before, after] = await Promise.all([
    input.before ?? input.renderer.render(input.baseline),
    input.renderer.render(input.override),
  ]);
  if (!before.ok) {
    throw new FairleadError(
      "render-failed",
      `the chart does not render without the override: ${before.message}`,
      {
        hint: "give the values it needs with -f or --set",
      },
    );
  }
  const original = manifestsOf(before);
  const compare = (overridden: readonly Manifest[], volatile: VolatilePlaces): Comparison =>
    compareRenderings({ ...input, original, overridden, volatile });
  if (!after.ok) {
    return { ...refused(compare(original, new Map())), diagnostics: [renderFailure(after.message)] };
  }
  const overridden = parseManifests(after.manifests);
  let comparison = compare(overridden, new Map());
  for (const delayMs of retryDelaysMs) {
    if (comparison.unexpected.length === 0) break;
    await setTimeout(delayMs);
    const again = await input.renderer.render(input.baseline);
    if (again.ok) comparison = compare(overridden, volatilePlaces(original, parseManifests(again.manifests)));
  }
  const isEmpty = original.length === 0 && overridden.length === 0;
  return { ...comparison, chartInstall: "passed", isEmpty, diagnostics: [] };
}

/** The objects of a rendering. @throws FairleadError `render-failed` where a document is not YAML. */
export function manifestsOf({ manifests, traced }: Extract<ChartRendering, { ok: true }>): Manifest[] {
  return traced === undefined ? parseManifests(manifests) : parseTracedManifests(traced);
}

/** What differs between two renderings of the same input: generated passwords, certificates, times. */
function volatilePlaces(first: readonly Manifest[], second: readonly Manifest[]): VolatilePlaces {
  const { pairs, removed } = alignManifests(first, second);
  return new Map<Manifest, readonly Difference[]>([
    ...removed.map(
      (manifest) => [manifest, [{ path: [], before: manifest.content, after: undefined }]] as const,
    ),
    ...pairs.map(([before, after]) => [before, differencesOf(before.content, after.content)] as const),
  ]);
}

function refused(comparison: Comparison): Omit<Verification, "diagnostics"> {
  return { ...comparison, chartInstall: "failed", isEmpty: false };
}

function renderFailure(message: string): Diagnostic {
  return {
    code: "render-failed",
    severity: "error",
    message: `the chart does not render with the override: ${message}`,
    where: {},
  };
}
