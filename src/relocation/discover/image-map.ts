import { isYamlMap, type YamlMap } from "../../yaml/value.ts";
import {
  foldKey,
  isForeignRepositoryKey,
  isImageCompanionKey,
  isImageKey,
  keysOfPart,
  splitPrefixedKey,
} from "./keys.ts";
import { holdsTemplate, hostOf, isForeignText } from "./name-text.ts";

/** What is known of a map beside its keys. */
export interface MapContext {
  /** The key under which it stands. */
  readonly key: string;
  /** Whether images there take their registry from elsewhere. */
  readonly inheritsRegistry: () => boolean;
  /** Whether a host is one of the sources. */
  readonly isKnownHost: (host: string) => boolean;
}

/** An image that the keys of one map spell, before its registry, tag and digest are worked out. */
export interface ImageKeys {
  readonly registry?: string;
  /** The keys whose texts, joined by `/`, are the path (and the host, where it stands inside). */
  readonly path: readonly [string, ...string[]];
  readonly tag?: string;
  readonly digest?: string;
  /** Document 002 §6.1.1: keys outside registry, repository and tag, with no clear repository. */
  readonly split: boolean;
}

/**
 * The images that a map spells with keys of its own (document 002 §6.1, and the shapes that charts use
 * beyond it): registry + repository + tag, repository + tag, name, image, repository + image, and prefixed
 * keys such as `operatorImageRepository`.
 */
export function imagesOfMap(map: YamlMap, context: MapContext): ImageKeys[] {
  const main = mainImage(map, context);
  return [...(main === undefined ? [] : [main]), ...prefixedImages(map, context)];
}

function mainImage(map: YamlMap, context: MapContext): ImageKeys | undefined {
  const { key, isKnownHost } = context;
  const imageLike = isImageKey(key);
  const companions = Object.keys(map).some(isImageCompanionKey);
  const repository = keysOfPart(map, "repository").find((name) => isText(map[name]));
  const parts = { ...registryOf(map), ...tagOf(map), ...digestOf(map) };
  if (repository !== undefined) {
    const text = textOf(map, repository);
    const host = hostOf(text);
    const evidence = imageLike || companions || (host !== undefined && isKnownHost(host));
    if (!evidence || (isForeignText(text) && !holdsTemplate(text))) return undefined;
    if (!imageLike && (isForeignRepositoryKey(key) || isForeignRepositoryKey(repository))) return undefined;
    const rest = ["image", ...(foldKey(key) === "image" ? ["name"] : [])].find((name) =>
      isBareName(map, name),
    );
    const lastComponent = text.slice(text.lastIndexOf("/") + 1);
    if (rest !== undefined && textOf(map, rest) !== lastComponent) {
      return { ...parts, path: [repository, rest], split: true };
    }
    return { ...parts, path: [repository], split: false };
  }
  if (imageLike && isText(map["name"]) && (companions || isNamedImage(map, context))) {
    const namespace = keysOfPart(map, "namespace").find((name) => isText(map[name]));
    return {
      ...parts,
      path: namespace === undefined ? ["name"] : [namespace, "name"],
      split: true,
    };
  }
  if (isText(map["image"]) && ((imageLike && companions) || parts.registry !== undefined)) {
    return { ...parts, path: ["image"], split: true };
  }
  return undefined;
}

/** Whether a `name` in a map called image names an image: it has a host, a version, or a registry elsewhere. */
function isNamedImage(map: YamlMap, { inheritsRegistry }: MapContext): boolean {
  return hasAny(map, ["version"]) || hostOf(textOf(map, "name")) !== undefined || inheritsRegistry();
}

function prefixedImages(map: YamlMap, { key: mapKey }: MapContext): ImageKeys[] {
  const stems = new Map<string, { registry?: string; repository?: string; tag?: string; digest?: string }>();
  for (const key of Object.keys(map)) {
    const split = splitPrefixedKey(key);
    if (split === undefined || split.part === "namespace") continue;
    const parts = stems.get(split.stem) ?? {};
    parts[split.part] ??= key;
    stems.set(split.stem, parts);
  }
  const images: ImageKeys[] = [];
  for (const [stem, { registry, repository, tag, digest }] of stems) {
    if (repository === undefined || !isText(map[repository])) continue;
    const isImage = isImageKey(mapKey) || stem.endsWith("image") || tag !== undefined || digest !== undefined;
    if (!isImage || stem === "image" || isForeignRepositoryKey(stem)) continue;
    if (isForeignText(textOf(map, repository)) && !holdsTemplate(textOf(map, repository))) continue;
    images.push({
      ...(registry === undefined ? {} : { registry }),
      path: [repository],
      ...(tag === undefined ? {} : { tag }),
      ...(digest === undefined ? {} : { digest }),
      split: true,
    });
  }
  return images;
}

function registryOf(map: YamlMap): { registry?: string } {
  const keys = keysOfPart(map, "registry").filter((key) => map[key] === null || typeof map[key] === "string");
  const key = keys.find((name) => isText(map[name])) ?? keys[0];
  return key === undefined ? {} : { registry: key };
}

function tagOf(map: YamlMap): { tag?: string } {
  const key = keysOfPart(map, "tag").find((name) => map[name] !== null && map[name] !== "");
  return key === undefined ? {} : { tag: key };
}

function digestOf(map: YamlMap): { digest?: string } {
  const key = keysOfPart(map, "digest").find((name) => isText(map[name]));
  return key === undefined ? {} : { digest: key };
}

function hasAny(map: YamlMap, keys: readonly string[]): boolean {
  return keys.some((key) => map[key] !== undefined && !isYamlMap(map[key]));
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isBareName(map: YamlMap, key: string): boolean {
  const value = map[key];
  return isText(value) && /^[a-z0-9]+(?:[._-]+[a-z0-9]+)*$/u.test(value);
}

function textOf(map: YamlMap, key: string): string {
  const value = map[key];
  return typeof value === "string" ? value : "";
}
