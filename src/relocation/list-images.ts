import type { Diagnostic } from "../core/diagnostic.ts";
import { FairleadError, type Where } from "../core/error.ts";
import { excerpt } from "../core/escape.ts";
import type { Redactor } from "../core/redaction.ts";
import type { ChartInstance } from "../helm/chart/chart.ts";
import { resolveDependencies } from "../helm/chart/dependencies.ts";
import type { LoadedChart } from "../helm/chart/load.ts";
import { locateValue } from "../helm/chart/origin.ts";
import type { UserValueLocator } from "../helm/values/value-layer.ts";
import { toImageSpec, type ImageSpec } from "../reference/image-spec.ts";
import type { ImageReference } from "../reference/reference.ts";
import { registryIdentity } from "../reference/registry-host.ts";
import { formatValuePath, getAt, parseValuePath, type ValuePath } from "../yaml/value-path.ts";
import { isYamlMap, type YamlMap } from "../yaml/value.ts";
import { discoveryDiagnostics } from "./discover/diagnostics.ts";
import { discoverImages } from "./discover/discover.ts";
import type { ImageSite } from "./discover/image-site.ts";
import { isPublicRegistry } from "./discover/public-registries.ts";
import { originsOfImage, valuesOfOrigins, type ImageOrigin } from "./rendering/image-origins.ts";
import type { Manifest } from "./rendering/manifest.ts";
import { findRenderedImages } from "./rendering/rendered-image.ts";
import { placeOfImage } from "./rendering/rendered-place.ts";
import { createOriginLocator, type OriginLocator } from "./rendering/text-origins.ts";
import { findUnparsableImages } from "./rendering/unparsable-image.ts";
import type { RenderedPlace } from "./result.ts";
import { manifestsOf, type ChartRendering } from "./verify/verification.ts";

/** A place of a rendered image, with what its text comes from; docs/origins.md describes it. */
export interface ListedPlace extends RenderedPlace {
  readonly origins: readonly ImageOrigin[];
}

/** An image of a chart: each reference text is one, wherever it stands. */
export interface ListedImage {
  readonly source: string;
  readonly spec: ImageSpec;
  /** The values that hold it: a leaf, or the map where several leaves of one map do. */
  readonly values: readonly Where[];
  /** False where it belongs to a subchart that is switched off. */
  readonly enabled: boolean;
  /** Where it was rendered; empty where nothing rendered it. */
  readonly places: readonly ListedPlace[];
}

export interface ChartImages {
  readonly chart: { readonly name: string; readonly version: string; readonly path: string };
  /** Whether the chart was rendered; else the images are what its values look like. */
  readonly rendered: boolean;
  readonly images: readonly ListedImage[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface ListOptions {
  /** The chart as a renderer that traces rendered it; default: the values tell alone. */
  readonly rendering?: ChartRendering | undefined;
  /** Tells which values the user gives; default: none. */
  readonly locateUserValue?: UserValueLocator | undefined;
  /** Takes what must not be told out of rendered texts that are no images; default: nothing. */
  readonly redact?: Redactor;
}

/**
 * Finds a chart's images without planning to move them: those of its rendering with what each comes from, and
 * those of its values that were not rendered.
 * @throws FairleadError `dependency-missing`.
 */
export function listImages(
  { chart, diagnostics }: LoadedChart,
  userValues: YamlMap,
  { rendering, locateUserValue, redact = (text) => text }: ListOptions = {},
): ChartImages {
  const { root, values, diagnostics: resolved } = resolveDependencies(chart, userValues);
  const discovery = discoverImages({ values, root, isKnownHost: isPublicHost });
  const hosts = new Set(discovery.sites.map(({ reference }) => registryIdentity(reference.registry)));
  const locator = createOriginLocator(root, locateUserValue);
  const { manifests, failure } = readRendering(rendering);
  const rendered = manifests.flatMap((manifest) =>
    imagesOf(manifest, (host) => isPublicHost(host) || hosts.has(registryIdentity(host)), locator),
  );
  const used = new Set(
    rendered.flatMap(({ place }) => place.origins.flatMap(({ path }) => (path === undefined ? [] : [path]))),
  );
  const others = discovery.sites.filter((site) => !isUsed(site, used)).map((site) => imageOfSite(site));
  const told = new Set(discovery.unparsable.map(({ text }) => text));
  const found = discoveryDiagnostics(discovery, root).filter(
    ({ code, where }) => code !== "template-in-value" || !used.has(where.valuePath ?? ""),
  );
  const { metadata, location } = chart;
  return {
    chart: { name: metadata.name, version: metadata.version, path: location },
    rendered: rendering !== undefined && failure === undefined,
    images: joinImages([...rendered, ...others], (path) => whereOf(path, root, values, locator)),
    diagnostics: [
      ...diagnostics,
      ...resolved,
      ...(failure === undefined ? [] : [notRendered(failure)]),
      ...found,
      ...manifests.flatMap((manifest) => unparsableImages(manifest, told, redact)),
    ],
  };
}

interface ReadRendering {
  readonly manifests: readonly Manifest[];
  /** Why there are none; absent where nothing was to be rendered too. */
  readonly failure?: string;
}

function readRendering(rendering: ChartRendering | undefined): ReadRendering {
  if (rendering === undefined) return { manifests: [] };
  if (!rendering.ok) return { manifests: [], failure: rendering.message };
  try {
    return { manifests: manifestsOf(rendering) };
  } catch (error) {
    if (error instanceof FairleadError && error.code === "render-failed") {
      return { manifests: [], failure: error.message };
    }
    throw error;
  }
}

function isPublicHost(host: string): boolean {
  return isPublicRegistry(registryIdentity(host));
}

/** One image at one place, of the rendering or of the values. */
interface FoundImage {
  readonly text: string;
  readonly reference: ImageReference;
  readonly values: readonly ValuePath[];
  readonly enabled: boolean;
  readonly place?: ListedPlace;
}

interface PlacedImage extends FoundImage {
  readonly place: ListedPlace;
}

function imagesOf(
  manifest: Manifest,
  isKnownHost: (host: string) => boolean,
  locator: OriginLocator,
): PlacedImage[] {
  return findRenderedImages(manifest, isKnownHost).map((image) => {
    const origins = originsOfImage(manifest, image, locator);
    return {
      text: image.text,
      reference: image.reference,
      values: valuesOfOrigins(origins),
      enabled: true,
      place: { ...placeOfImage(manifest, image), origins },
    };
  });
}

function imageOfSite({ text, reference, path, enabled }: ImageSite): FoundImage {
  return { text, reference, values: [path], enabled };
}

/** Whether a rendered image takes its name from there; a registry before it may serve many. */
function isUsed({ name }: ImageSite, used: ReadonlySet<string>): boolean {
  const own = name.length > 1 ? name.slice(1) : name;
  return own.some(({ path }) => used.has(formatValuePath(path)));
}

function joinImages(found: readonly FoundImage[], locate: (path: ValuePath) => Where): ListedImage[] {
  return [...Map.groupBy(found, ({ text }) => text)].flatMap(([source, group]) => {
    const [first] = group;
    if (first === undefined) return [];
    const paths = new Set(group.flatMap(({ values }) => values.map((path) => formatValuePath(path))));
    return {
      source,
      spec: toImageSpec(first.reference),
      values: [...paths].map((path) => locate(parseValuePath(path))),
      enabled: group.some(({ enabled }) => enabled),
      places: group.flatMap(({ place }) => (place === undefined ? [] : [place])),
    };
  });
}

/** A map stands where the chart has it, although the user may give some of what is in it. */
function whereOf(path: ValuePath, root: ChartInstance, values: YamlMap, locator: OriginLocator): Where {
  const own = locateValue(root, path);
  if (isYamlMap(getAt(values, path)) && own.file !== undefined) return own;
  const { path: valuePath, flag: _, ...where } = locator.value(path);
  return { ...where, valuePath };
}

function notRendered(message: string): Diagnostic {
  return {
    code: "not-rendered",
    severity: "warning",
    message: `the chart does not render, so the images are what its values look like: ${message}`,
    where: {},
    hint: "give the values it needs with -f or --set",
  };
}

/** The images of containers that no runtime can pull, but for those that the values have told of. */
function unparsableImages(manifest: Manifest, told: ReadonlySet<string>, redact: Redactor): Diagnostic[] {
  return findUnparsableImages(manifest)
    .filter(({ text }) => !told.has(text))
    .map(({ path, text }) => ({ path, text: redact(text) }))
    .map(({ path, text }) => ({
      code: "reference-unparsable",
      severity: "warning",
      message: `Cannot parse image reference '${excerpt(text)}': invalid format`,
      where: {},
      hint: `${manifest.kind}/${manifest.name} has it at ${formatValuePath(path)}; fairlead explain tells where it comes from`,
      image: text,
      unsupported: true,
    }));
}
