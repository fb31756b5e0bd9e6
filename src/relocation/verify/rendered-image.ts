import { type ImageReference, tryParseReference } from "../../reference/reference.ts";
import { isYamlMap, type YamlMap, type YamlValue } from "../../yaml/value.ts";
import { getAt, type ValuePath } from "../../yaml/value-path.ts";
import { hostOf, isForeignText } from "../discover/name-text.ts";
import { isImageKey } from "../discover/keys.ts";
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
  /** Where it stands in the leaf's text; absent for an image that several keys spell. */
  readonly span?: { readonly start: number; readonly end: number };
  /** The keys that spell it, joined by `/` and `:`; absent for an image in one leaf. */
  readonly keys?: SplitKeys;
}

export interface SplitKeys {
  readonly path: readonly string[];
  readonly version?: string;
}

const containerLists = new Set(["containers", "initContainers", "ephemeralContainers"]);
const schemaKinds = new Set(["CustomResourceDefinition"]);

/**
 * The images of one manifest: `image` of containers at any depth and of image volumes, image fields of
 * custom resources (whole, or split over repository, image and version), and references inside arguments,
 * commands, environment and ConfigMaps that start with a known registry, or stand on an `image:` line of a
 * longer text, and end in a tag or digest.
 */
export function findRenderedImages(
  manifest: Manifest,
  isKnownHost: (host: string) => boolean,
): RenderedImage[] {
  if (schemaKinds.has(manifest.kind)) return [];
  const images: RenderedImage[] = [];
  const visit = (value: YamlValue, path: ValuePath, parent: YamlMap | undefined): void => {
    if (typeof value === "string") {
      images.push(...imagesOfText(value, path, parent, isKnownHost));
    } else if (Array.isArray(value)) {
      value.forEach((item: YamlValue, index) => visit(item, [...path, index], parent));
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
  return embeddedImages(text, path, isKnownHost);
}

function wholeImage(
  text: string,
  path: ValuePath,
  parent: YamlMap | undefined,
  isKnownHost: (host: string) => boolean,
): RenderedImage | undefined {
  const key = path.at(-1);
  if (typeof key !== "string" || isForeignText(text)) return undefined;
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
  const full = reference.tag !== undefined || reference.digest !== undefined;
  const host = hostOf(text);
  if (isImageKey(key) && (full || host !== undefined || (key === "image" && text.includes("/")))) {
    return { path, text, reference, form: "custom-resource", span };
  }
  const name = parent?.["name"];
  if (key === "value" && full && typeof name === "string" && /image/iu.test(name) && text.includes("/")) {
    return { path, text, reference, form: "embedded", span };
  }
  if (host !== undefined && full && isKnownHost(host))
    return { path, text, reference, form: "embedded", span };
  return undefined;
}

const embeddedPattern =
  /(?<![\w./:@%-])(?:docker:\/\/)?(?<image>(?<host>(?:[a-z0-9-]+\.)+[a-z0-9-]+(?::\d+)?)\/[a-z0-9][a-z0-9._/-]{0,200}(?::[A-Za-z0-9_][\w.-]{0,127})?(?:@sha(?:256|384|512):[0-9a-f]{64,128})?)/gu;

/** A line of a manifest or of JSON inside a longer text, such as a pod template in a ConfigMap. */
const imageLinePattern =
  /^[ \t]*(?:- +)?["']?image["']? *: *["']?(?<image>[a-z0-9][^\s"'#{},]*)["']?,?[ \t]*$/gmu;

function embeddedImages(
  text: string,
  path: ValuePath,
  isKnownHost: (host: string) => boolean,
): RenderedImage[] {
  const images = new Map<number, RenderedImage>();
  const add = (match: RegExpExecArray): void => {
    const image = match.groups?.["image"] ?? "";
    const written = image.replace(/[.-]+$/u, "");
    const reference = tryParseReference(written);
    if (reference === undefined || (reference.tag ?? reference.digest) === undefined) return;
    const start = match.index + match[0].lastIndexOf(image);
    const span = { start, end: start + written.length };
    images.set(start, { path, text: written, reference, form: "embedded", span });
  };
  for (const match of text.matchAll(embeddedPattern)) {
    if (isKnownHost(match.groups?.["host"] ?? "")) add(match);
  }
  if (text.includes("\n")) for (const match of text.matchAll(imageLinePattern)) add(match);
  return [...images.values()].sort((left, right) => (left.span?.start ?? 0) - (right.span?.start ?? 0));
}

/** Whether a text holds a reference as a whole, not as a part of a longer one. */
export function holdsReference(text: string, reference: string): boolean {
  for (let at = text.indexOf(reference); at !== -1; at = text.indexOf(reference, at + 1)) {
    const before = text.slice(Math.max(0, at - "docker://".length), at);
    const after = text.slice(at + reference.length);
    if (/(?:^|[^\w./:@%-]|docker:\/\/)$/u.test(before) && !/^(?:[.-]*\w|@sha\d)/u.test(after)) return true;
  }
  return false;
}

/** An image that a custom resource keeps as registry, repository, image and version or tag. */
function splitImage(map: YamlMap, path: ValuePath): RenderedImage | undefined {
  const repository = map["repository"];
  if (typeof repository !== "string" || repository === "" || isForeignText(repository)) return undefined;
  const version = ["version", "tag"].find((key) => typeof map[key] === "string" && map[key] !== "");
  if (version === undefined) return undefined;
  const registry = typeof map["registry"] === "string" && map["registry"] !== "" ? ["registry"] : [];
  const image = typeof map["image"] === "string" && /^[\w.-]+$/u.test(map["image"]) ? ["image"] : [];
  if (registry.length + image.length === 0 && !repository.includes("/")) return undefined;
  const keys: SplitKeys = { path: [...registry, "repository", ...image], version };
  const text = spellSplit(map, keys);
  const reference = text === undefined ? undefined : tryParseReference(text);
  if (text === undefined || reference === undefined) return undefined;
  return { path, text, reference, form: "custom-resource", keys };
}

function spellSplit(map: YamlMap, keys: SplitKeys): string | undefined {
  const parts = keys.path.map((key) => map[key]);
  if (!parts.every((part) => typeof part === "string")) return undefined;
  const version = keys.version === undefined ? undefined : map[keys.version];
  if (typeof version !== "string") return undefined;
  const name = parts.map((part) => part.replace(/\/+$/u, "")).join("/");
  return `${name}${version.startsWith("sha256:") ? "@" : ":"}${version}`;
}
