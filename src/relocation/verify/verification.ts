import type { Diagnostic } from "../../core/diagnostic.ts";
import { FairleadError } from "../../core/error.ts";
import type { Redactor } from "../../core/redaction.ts";
import type { ImageReference } from "../../reference/reference.ts";
import type { YamlMap } from "../../yaml/value.ts";
import type { ValuePath } from "../../yaml/value-path.ts";
import type { Relocator } from "../relocator.ts";
import { compareRenderings, type Comparison } from "./comparison.ts";
import { alignManifests, differencesOf } from "./difference.ts";
import type { Replacement } from "./explain-change.ts";
import { parseManifests, type Manifest } from "./manifest.ts";

/** Renders one chart with one set of values, with or without an override on top. */
export interface ChartRenderer {
  /** @param override the override as YAML; undefined for the chart as it is. */
  render(override: string | undefined): Promise<ChartRendering>;
}

export type ChartRendering =
  | { readonly ok: true; readonly manifests: string }
  | { readonly ok: false; readonly message: string };

export interface VerificationInput {
  readonly renderer: ChartRenderer;
  readonly override: string;
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
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Renders the chart without and with the override and compares every image and everything else.
 * @throws FairleadError `render-failed` when the chart does not render as it is.
 */
export async function verifyOverride(input: VerificationInput): Promise<Verification> {
  const [before, after] = await Promise.all([
    input.renderer.render(undefined),
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
  const original = parseManifests(before.manifests);
  const compare = (overridden: readonly Manifest[], isVolatile: Volatility): Comparison =>
    compareRenderings({ ...input, original, overridden, isVolatile });
  if (!after.ok) {
    return { ...refused(compare(original, never)), diagnostics: [renderFailure(after.message)] };
  }
  const overridden = parseManifests(after.manifests);
  let comparison = compare(overridden, never);
  if (comparison.unexpected.length > 0) {
    const again = await input.renderer.render(undefined);
    if (again.ok) comparison = compare(overridden, volatilityOf(original, parseManifests(again.manifests)));
  }
  return { ...comparison, chartInstall: "passed", diagnostics: [] };
}

type Volatility = (manifest: Manifest, path: ValuePath) => boolean;

const never: Volatility = () => false;

/** What differs between two renderings of the same input: generated passwords, certificates, times. */
function volatilityOf(first: readonly Manifest[], second: readonly Manifest[]): Volatility {
  const { pairs, removed } = alignManifests(first, second);
  const places = new Map<Manifest, Set<string>>(removed.map((manifest) => [manifest, new Set(["[]"])]));
  for (const [before, after] of pairs) {
    const paths = differencesOf(before.content, after.content).map(({ path }) => JSON.stringify(path));
    if (paths.length > 0) places.set(before, new Set(paths));
  }
  return (manifest, path) => places.get(manifest)?.has(JSON.stringify(path)) ?? false;
}

function refused(comparison: Comparison): Comparison & { readonly chartInstall: "failed" } {
  return { ...comparison, chartInstall: "failed" };
}

function renderFailure(message: string): Diagnostic {
  return {
    code: "render-failed",
    severity: "error",
    message: `the chart does not render with the override: ${message}`,
    where: {},
  };
}
