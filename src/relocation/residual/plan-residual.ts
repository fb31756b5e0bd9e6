import { formatReference, type ImageReference } from "../../reference/reference.ts";
import { isYamlMap, type YamlMap } from "../../yaml/value.ts";
import { formatValuePath, getAt, type ValuePath } from "../../yaml/value-path.ts";
import { tryDecodeBase64 } from "../rendering/base64.ts";
import { findEmbeddedImages } from "../rendering/embedded-image.ts";
import type { Manifest } from "../rendering/manifest.ts";
import type { RenderedImage, SplitKeys } from "../rendering/rendered-image.ts";
import type { ImageOutcome } from "../verify/comparison.ts";
import { findNames } from "./change-text.ts";
import type { ResidualChange, ResidualField, ResidualObject } from "./residual-object.ts";
import { spreadName } from "./split-name.ts";

/** An object of the plan with its content as rendered with the override. */
export interface PlannedObject extends ResidualObject {
  readonly content: YamlMap;
}

/** A field with one of its changes. */
type SingleChange = Omit<ResidualField, "changes"> & { readonly change: ResidualChange };

/**
 * What is left to change after the override so that every image in scope is where it belongs: exactly the texts
 * of the images that did not move or went astray. What is gone with the override, or cannot be found in its text
 * again, is left out.
 */
export function planResidual(
  outcomes: readonly ImageOutcome[],
  isKnownHost: (host: string) => boolean,
): PlannedObject[] {
  const left = outcomes.filter(({ status }) => status === "not-moved" || status === "misplaced");
  return [...Map.groupBy(left, ({ overridden }) => overridden)].flatMap(([manifest, group]) => {
    if (manifest === undefined) return [];
    const fields = groupFields(group.flatMap((outcome) => changesOf(outcome, manifest, isKnownHost)));
    return fields.length === 0 ? [] : [describeObject(manifest, fields)];
  });
}

function describeObject(manifest: Manifest, fields: readonly ResidualField[]): PlannedObject {
  const { apiVersion, kind, namespace, name, template, content } = manifest;
  const hook = hookOf(content);
  return {
    apiVersion,
    kind,
    namespace,
    name,
    ...(template === undefined ? {} : { template }),
    ...(hook === undefined ? {} : { hook }),
    fields,
    content,
  };
}

/** What an object's `helm.sh/hook` says; undefined for one that is no hook. */
export function hookOf(content: YamlMap): string | undefined {
  const hook = getAt(content, ["metadata", "annotations", "helm.sh/hook"]);
  return typeof hook === "string" && hook !== "" ? hook : undefined;
}

function groupFields(changes: readonly SingleChange[]): ResidualField[] {
  return [...Map.groupBy(changes, ({ path }) => formatValuePath(path)).values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { change: _change, ...field } = first;
    const distinct = new Map(group.map(({ change }) => [JSON.stringify(change), change]));
    return [{ ...field, changes: [...distinct.values()] }];
  });
}

function changesOf(
  { image, planned, manifest }: ImageOutcome,
  overridden: Manifest,
  isKnownHost: (host: string) => boolean,
): SingleChange[] {
  if (planned === undefined) return [];
  if (image.keys !== undefined) {
    return splitChanges(image.path, image.keys, manifest.content, overridden.content, planned);
  }
  const before = textAt(manifest, image);
  const after = textAt(overridden, image);
  if (before === undefined || after === undefined || image.span === undefined) return [];
  const { path, container, encoded } = image;
  const field = {
    path,
    ...(container === undefined ? {} : { container }),
    ...(encoded === undefined ? {} : { encoded }),
  };
  const to = formatReference(planned);
  if (image.span.start === 0 && image.span.end === before.length) {
    return [{ ...field, change: { from: after, to } }];
  }
  const isKnown = (host: string): boolean => isKnownHost(host) || host === planned.registry;
  const place = embeddedPlace(image, image.span.start, before, after, isKnown);
  if (place === undefined) return [];
  const found = findNames(after, [place.from, to]);
  const index = found.findIndex(({ start }) => start === place.start);
  if (index === -1) return [];
  return [{ ...field, change: { from: place.from, to, occurrence: { index, of: found.length } } }];
}

function textAt({ content }: Manifest, { path, encoded }: RenderedImage): string | undefined {
  const text = getAt(content, path);
  if (typeof text !== "string") return undefined;
  return encoded === true ? tryDecodeBase64(text) : text;
}

/** What stands for an image of a longer text in the same text with the override. */
function embeddedPlace(
  { text }: RenderedImage,
  start: number,
  before: string,
  after: string,
  isKnownHost: (host: string) => boolean,
): { readonly from: string; readonly start: number } | undefined {
  const earlier = findEmbeddedImages(before, isKnownHost);
  const later = findEmbeddedImages(after, isKnownHost);
  if (earlier.length === later.length) {
    const same = later[earlier.findIndex(({ span }) => span.start === start)];
    return same === undefined ? undefined : { from: same.text, start: same.span.start };
  }
  const rank = earlier.filter((image) => image.text === text && image.span.start < start).length;
  const same = later.filter((image) => image.text === text)[rank];
  return same === undefined ? undefined : { from: text, start: same.span.start };
}

/** The keys of a split image whose texts are to be others. */
function splitChanges(
  path: ValuePath,
  keys: SplitKeys,
  before: YamlMap,
  after: YamlMap,
  planned: ImageReference,
): SingleChange[] {
  const original = getAt(before, path);
  const map = getAt(after, path);
  if (!isYamlMap(map) || !isYamlMap(original)) return [];
  const parts = keys.path.map((key) => map[key]);
  if (!parts.every((part) => typeof part === "string")) return [];
  const { tag: _tag, digest: _digest, ...name } = planned;
  const spread = spreadName(parts, formatReference(name));
  const texts = keys.path.map((key, index) => [key, spread[index]] as const);
  const all =
    keys.version === undefined ? texts : [...texts, [keys.version, original[keys.version]] as const];
  return all.flatMap(([key, to]) => {
    const from = map[key];
    if (typeof from !== "string" || typeof to !== "string" || from === to) return [];
    return [{ path: [...path, key], change: { from, to } }];
  });
}
