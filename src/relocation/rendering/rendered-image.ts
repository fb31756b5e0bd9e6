import { type ImageReference, tryParseReference } from "../../reference/reference.ts";
import { isYamlMap, type YamlMap, type YamlValue } from "../../yaml/value.ts";
import { getAt, type ValuePath } from "../../yaml/value-path.ts";
import { hostOf, isForeignText } from "../discover/name-text.ts";
import { foldKey, isImageKey } from "../discover/keys.ts";
import { tryDecodeBase64 } from "./base64.ts";
import { findEmbeddedImages } from "./embedded-image.ts";
import type { Manifest } from "./manifest.ts";

/** An image in a rendered manifest. */
export interface RenderedImage {
  /** The leaf that holds it, or the map whose keys spell it. */
  readonly path: ValuePath;
  /** The reference as rendered. */
  readonly text: string;
  readonly reference: ImageReference;
  readonly form: "container" | "custom-resource" | "embedded";
  readonly container?: string;
  /** Where it stands in the leaf's text, decoded in a Secret; absent for an image that several keys spell. */
  readonly span?: { readonly start: number; readonly end: number };
  /** The keys that spell it, joined by `/` and `:`; absent for an image in one leaf. */
  readonly keys?: SplitKeys;
  /** True where the leaf is in base64. */
  readonly encoded?: true;
}

export interface SplitKeys {
  readonly path: readonly string[];
  readonly version?: string;
}

/** What Istio's templates put in place of an image, for its injector to replace when the pod is created. */
const injectedImage = "auto";

const containerLists = new Set(["containers", "initContainers", "ephemeralContainers"]);
const schemaKinds = new Set(["CustomResourceDefinition"]);

/**
 * The images of one manifest: `image` of containers at any depth and of image volumes, image fields of
 * custom resources (whole, or split over registry, repository, image and version), and references inside
 * arguments, commands, environment, annotations, ConfigMaps and Secrets that start with a known registry and
 * end in a tag or digest, or have either and are called an image.
 */
export function findRenderedImages(
  manifest: Manifest,
  isKnownHost: (host: string) => boolean,
): RenderedImage[] {
  if (schemaKinds.has(manifest.kind)) return [];
  const images: RenderedImage[] = [];
  const visit = (value: YamlValue, path: ValuePath, parent: YamlMap | undefined): void => {
    if (typeof value === "string") {
      images.push(
        ...(manifest.kind === "Secret" && path[0] === "data"
          ? imagesOfSecret(value, path, isKnownHost)
          : imagesOfText(value, path, parent, isKnownHost)),
      );
    } else if (Array.isArray(value)) {
      value.forEach((item: YamlValue, index) => {
        const flag: unknown = value[index - 1];
        const image = imageAfterFlag(flag, item, [...path, index], isKnownHost);
        if (image === undefined) visit(item, [...path, index], parent);
        else images.push(image);
      });
    } else if (isYamlMap(value)) {
      const split = splitImage(value, path);
      if (split !== undefined) images.push(split);
      for (const [key, item] of Object.entries(value)) {
        const isPart = split?.keys !== undefined && [...split.keys.path, split.keys.version].includes(key);
        if (!isPart) visit(item, [...path, key], value);
      }
    }
  };
  visit(manifest.content, [], undefined);
  return images;
}

/** The text that the keys of a split image spell in another rendering of the same map. */
export function readSplitImage(content: YamlMap, path: ValuePath, keys: SplitKeys): string | undefined {
  const map = getAt(content, path);
  return isYamlMap(map) ? spellSplit(map, keys) : undefined;
}

function imagesOfText(
  text: string,
  path: ValuePath,
  parent: YamlMap | undefined,
  isKnownHost: (host: string) => boolean,
): RenderedImage[] {
  const whole = wholeImage(text, path, parent, isKnownHost);
  if (whole !== undefined) return [whole];
  return findEmbeddedImages(text, isKnownHost).map(({ text: written, reference, span }) => ({
    path,
    text: written,
    reference,
    form: "embedded",
    span,
  }));
}

function imagesOfSecret(
  text: string,
  path: ValuePath,
  isKnownHost: (host: string) => boolean,
): RenderedImage[] {
  const decoded = tryDecodeBase64(text);
  if (decoded === undefined) return [];
  return findEmbeddedImages(decoded, isKnownHost).map(({ text: written, reference, span }) => ({
    path,
    text: written,
    reference,
    form: "embedded",
    span,
    encoded: true,
  }));
}

/** The argument after one such as `--helper-image`. */
function imageAfterFlag(
  flag: unknown,
  text: YamlValue,
  path: ValuePath,
  isKnownHost: (host: string) => boolean,
): RenderedImage | undefined {
  if (typeof flag !== "string" || typeof text !== "string") return undefined;
  if (!/^--?[\w.-]*image$/iu.test(flag) || isForeignText(text)) return undefined;
  const reference = tryParseReference(text);
  if (reference === undefined) return undefined;
  const isNamed = (reference.tag ?? reference.digest) !== undefined || isKnownHost(hostOf(text) ?? "");
  return isNamed
    ? { path, text, reference, form: "embedded", span: { start: 0, end: text.length } }
    : undefined;
}

function wholeImage(
  text: string,
  path: ValuePath,
  parent: YamlMap | undefined,
  isKnownHost: (host: string) => boolean,
): RenderedImage | undefined {
  const key = path.at(-1);
  if (typeof key !== "string") return undefined;
  const reference = tryParseReference(text);
  if (reference === undefined) return undefined;
  const span = { start: 0, end: text.length };
  const list = path.at(-3);
  if (
    key === "image" &&
    typeof path.at(-2) === "number" &&
    typeof list === "string" &&
    containerLists.has(list)
  ) {
    if (text === injectedImage) return undefined;
    const container = parent?.["name"];
    return {
      path,
      text,
      reference,
      form: "container",
      ...(typeof container === "string" ? { container } : {}),
      span,
    };
  }
  if (key === "reference" && path.at(-2) === "image")
    return { path, text, reference, form: "container", span };
  if (isForeignText(text)) return undefined;
  const full = reference.tag !== undefined || reference.digest !== undefined;
  const host = hostOf(text);
  if (isImageKey(key) && (full || host !== undefined || (key === "image" && text.includes("/")))) {
    return { path, text, reference, form: "custom-resource", span };
  }
  const isKnown = host !== undefined && isKnownHost(host);
  if (isKnown && /image(?:repo|repository)$/u.test(foldKey(key)))
    return { path, text, reference, form: "custom-resource", span };
  const name = key === "value" ? parent?.["name"] : undefined;
  const isVariable = typeof name === "string" && /image/iu.test(name);
  const isNamed = isVariable && (isKnown || (full && (text.includes("/") || isImageKey(name))));
  if (isNamed || (isKnown && full)) return { path, text, reference, form: "embedded", span };
  return undefined;
}

/** An image that a custom resource keeps as registry, repository, image and version or tag. */
function splitImage(map: YamlMap, path: ValuePath): RenderedImage | undefined {
  const repository = map["repository"];
  if (typeof repository !== "string" || repository === "" || isForeignText(repository)) return undefined;
  const version = ["version", "tag"].find((key) => typeof map[key] === "string" && map[key] !== "");
  const registry = typeof map["registry"] === "string" && map["registry"] !== "" ? ["registry"] : [];
  const image = typeof map["image"] === "string" && /^[\w.-]+$/u.test(map["image"]) ? ["image"] : [];
  if (version === undefined && registry.length === 0) return undefined;
  if (registry.length + image.length === 0 && !repository.includes("/")) return undefined;
  const keys: SplitKeys = {
    path: [...registry, "repository", ...image],
    ...(version === undefined ? {} : { version }),
  };
  const text = spellSplit(map, keys);
  const reference = text === undefined ? undefined : tryParseReference(text);
  if (text === undefined || reference === undefined) return undefined;
  return { path, text, reference, form: "custom-resource", keys };
}

function spellSplit(map: YamlMap, keys: SplitKeys): string | undefined {
  const parts = keys.path.map((key) => map[key]);
  if (!parts.every((part) => typeof part === "string")) return undefined;
  const name = parts.map((part) => part.replace(/\/+$/u, "")).join("/");
  if (keys.version === undefined) return name;
  const version = map[keys.version];
  if (typeof version !== "string") return undefined;
  return `${name}${version.startsWith("sha256:") ? "@" : ":"}${version}`;
}
