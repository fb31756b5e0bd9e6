import { FairleadError } from "../../core/error.ts";
import type { Chart, ChartInstance } from "../../helm/chart/chart.ts";
import { resolveDependencies } from "../../helm/chart/dependencies.ts";
import { Tracked } from "../../helm/go/value.ts";
import type { Span } from "../../helm/provenance/span.ts";
import { templateFileOf } from "../../helm/provenance/locate-origin.ts";
import type { UserValueLocator } from "../../helm/values/value-layer.ts";
import { isYamlList, isYamlMap, type YamlMap, type YamlValue } from "../../yaml/value.ts";
import { formatValuePath, getAt, type ValuePath } from "../../yaml/value-path.ts";
import type { Manifest } from "../rendering/manifest.ts";
import {
  createOriginLocator,
  originsOfText,
  type OriginLocator,
  type TextOrigin,
} from "../rendering/text-origins.ts";
import { tracedValueAt } from "../rendering/trace.ts";
import { manifestsOf, type ChartRendering } from "../verify/verification.ts";
import { findField } from "./field-path.ts";
import { findObjects } from "./find-objects.ts";

/** A field of a rendered object that has no fields of its own, and what put its text there. */
export interface ExplainedLeaf {
  readonly field: string;
  /** The value as rendered; an empty map or list too. */
  readonly value: YamlValue;
  /** The value's text, which the origins are of. */
  readonly text: string;
  readonly origins: readonly TextOrigin[];
}

export interface ExplainedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** The template that rendered it, as helm's `# Source:` line names it. */
  readonly template?: string;
  /** The template's file. */
  readonly file?: string;
  /** The field that was asked for, with indexes in the place of names; absent for all of the object. */
  readonly field?: string;
  /** Absent where no object was asked for. */
  readonly leaves?: readonly ExplainedLeaf[];
}

export interface Explanation {
  readonly chart: { readonly name: string; readonly version: string; readonly path: string };
  readonly objects: readonly ExplainedObject[];
}

export interface ExplainInput {
  readonly chart: Chart;
  /** The user's values, all together. */
  readonly userValues: YamlMap;
  readonly locateUserValue?: UserValueLocator;
  /** The chart as a renderer that traces rendered it. */
  readonly rendering: ChartRendering;
  /** `KIND/NAME` or `NAMESPACE/KIND/NAME`; default: every object, without its fields. */
  readonly object?: string | undefined;
  /** A field of the object; default: all of it. */
  readonly field?: string | undefined;
}

/**
 * Tells what put each text of a rendered object there.
 * @throws FairleadError `render-failed` where the chart does not render, `input-invalid` where there is no such
 *   object or field, `dependency-missing`.
 */
export function explain(input: ExplainInput): Explanation {
  const { chart, rendering, object } = input;
  if (!rendering.ok) {
    throw new FairleadError("render-failed", `the chart does not render: ${rendering.message}`, {
      hint: "give the values it needs with -f or --set",
    });
  }
  const { root } = resolveDependencies(chart, input.userValues);
  const { metadata, location } = chart;
  const named = { name: metadata.name, version: metadata.version, path: location };
  const manifests = manifestsOf(rendering);
  if (object === undefined) {
    return { chart: named, objects: manifests.map((manifest) => describe(manifest, root)) };
  }
  const locator = createOriginLocator(root, input.locateUserValue);
  const objects: ExplainedObject[] = [];
  for (const manifest of findObjects(manifests, object)) {
    const path = findField(manifest.content, input.field ?? "");
    const field = path.length === 0 ? {} : { field: formatValuePath(path) };
    objects.push({ ...describe(manifest, root), ...field, leaves: leavesOf(manifest, path, locator) });
  }
  return { chart: named, objects };
}

function describe(manifest: Manifest, root: ChartInstance): ExplainedObject {
  const { apiVersion, kind, namespace, name, template } = manifest;
  const file = template === undefined ? undefined : templateFileOf(root, template);
  return {
    apiVersion,
    kind,
    namespace,
    name,
    ...(template === undefined ? {} : { template }),
    ...(file === undefined ? {} : { file }),
  };
}

function leavesOf(manifest: Manifest, path: ValuePath, locator: OriginLocator): ExplainedLeaf[] {
  return [...leafPaths(getAt(manifest.content, path) ?? null, path)].map((leaf) => {
    const value = getAt(manifest.content, leaf) ?? null;
    const text = textOf(value);
    const origins = originsOfText(text, spansAt(manifest, leaf, text), locator);
    return { field: formatValuePath(leaf), value, text, origins };
  });
}

function* leafPaths(value: YamlValue, path: ValuePath): Generator<ValuePath> {
  const entries: readonly (readonly [string | number, YamlValue])[] = isYamlMap(value)
    ? Object.entries(value)
    : isYamlList(value)
      ? [...value.entries()]
      : [];
  if (entries.length === 0) yield path;
  for (const [key, item] of entries) yield* leafPaths(item, [...path, key]);
}

function textOf(value: YamlValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The spans of a scalar; what is no string comes as a whole from all of them. */
function spansAt(manifest: Manifest, path: ValuePath, text: string): readonly Span[] {
  const value = tracedValueAt(manifest, path);
  if (!(value instanceof Tracked)) return [];
  if (typeof value.value === "string") return value.spans;
  const [span] = value.spans;
  return span === undefined ? [] : [{ ...span, end: text.length }];
}
