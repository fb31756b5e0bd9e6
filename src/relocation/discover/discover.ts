import type { Diagnostic } from "../../core/diagnostic.ts";
import { excerpt } from "../../core/escape.ts";
import type { ChartInstance } from "../../helm/chart/chart.ts";
import { tryParseReference } from "../../reference/reference.ts";
import { formatGoFloat } from "../../yaml/go-number.ts";
import { isYamlMap, type YamlMap, type YamlValue } from "../../yaml/value.ts";
import { formatValuePath, getAt, type ValuePath } from "../../yaml/value-path.ts";
import { imagesOfMap, type ImageKeys } from "./image-map.ts";
import { imageTextOf, type ImageText } from "./image-text.ts";
import type { ImageSite, NameLeaf } from "./image-site.ts";
import { inheritedRegistry, mainImageRegistry, overridingRegistry } from "./inherited-registry.ts";
import type { VersionLeaf, VersionLeaves } from "./version-leaf.ts";
import { holdsTemplate, hostOf, registryLeafOf, splitNameText } from "./name-text.ts";

export interface DiscoverInput {
  /** The root's coalesced values, with each subchart's values under its key. */
  readonly values: YamlMap;
  readonly root: ChartInstance;
  /** Whether a registry host is one of the sources: a text that starts with one is an image under any key. */
  readonly isKnownHost: (host: string) => boolean;
  /** Whether the user's configuration names this value path as an image; default: none. */
  readonly isNamedImage?: (valuePath: string) => boolean;
}

/** A value that stands where an image belongs and is no reference. */
export interface UnparsableImage {
  readonly path: ValuePath;
  readonly text: string;
  readonly enabled: boolean;
}

export interface Discovery {
  readonly sites: readonly ImageSite[];
  readonly unparsable: readonly UnparsableImage[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Finds the images that a chart's values spell (document 002, §6.1), and the shapes of real charts beyond
 * it: the host inside the repository, no registry key, name, image and prefixed keys, digests, list
 * entries, registries inherited from `global`.
 */
export function discoverImages(input: DiscoverInput): Discovery {
  const walk = new Walk(input);
  walk.map(input.values, [], input.root);
  return { sites: walk.sites, unparsable: walk.unparsable, diagnostics: walk.diagnostics };
}

class Walk {
  readonly sites: ImageSite[] = [];
  readonly unparsable: UnparsableImage[] = [];
  readonly diagnostics: Diagnostic[] = [];
  readonly #input: DiscoverInput;

  constructor(input: DiscoverInput) {
    this.#input = input;
  }

  map(map: YamlMap, path: ValuePath, chart: ChartInstance): void {
    const used = new Set<string>();
    const context = {
      key: lastKey(path),
      inheritsRegistry: () => inheritedRegistry(this.#input.values, chart.path, path).length > 0,
      isKnownHost: this.#input.isKnownHost,
    };
    for (const image of imagesOfMap(map, context)) {
      for (const key of this.#addMapImage(map, image, path, chart)) used.add(key);
    }
    for (const [key, value] of Object.entries(map)) {
      if (used.has(key)) continue;
      const child = chart.children.find((instance) => instance.name === key);
      if (child !== undefined && isAt(path, chart.path) && isYamlMap(value)) {
        this.map(value, [...path, key], child);
      } else if (key === "global" && isAt(path, chart.path) && path.length > 0 && isYamlMap(value)) {
        this.#ownGlobals(value, [...path, key], chart);
      } else this.#value(value, key, [...path, key], map, chart);
    }
  }

  #value(value: YamlValue, key: string, path: ValuePath, siblings: YamlMap, chart: ChartInstance): void {
    if (isYamlMap(value)) this.map(value, path, chart);
    else if (Array.isArray(value)) {
      value.forEach((item: YamlValue, index) => this.#value(item, key, [...path, index], siblings, chart));
    } else if (typeof value === "string") this.#text(value, key, path, siblings, chart);
  }

  /** Helm copies the parent's globals into each subchart: only what the subchart adds is its own. */
  #ownGlobals(map: YamlMap, path: ValuePath, chart: ChartInstance): void {
    const inherited = getAt(this.#input.values, [...chart.path.slice(0, -1), "global"]);
    const own = isYamlMap(inherited) ? withoutInherited(map, inherited) : map;
    this.map(own, path, chart);
  }

  #addMapImage(map: YamlMap, image: ImageKeys, path: ValuePath, chart: ChartInstance): string[] {
    const used = [image.registry, ...image.path, image.tag, image.digest].filter((key) => key !== undefined);
    const texts = image.path.map((key) => splitNameText(stringOf(map[key])));
    const where = [...path, image.path[0]];
    if (image.path.some((key) => holdsTemplate(stringOf(map[key])))) {
      this.#reportTemplate(where);
      return used;
    }
    const leaves: NameLeaf[] = image.path.map((key, index) => ({
      path: [...path, key],
      text: texts[index]?.name ?? "",
      prefix: texts[index]?.prefix ?? "",
      suffix: texts[index]?.suffix ?? "",
    }));
    const first = leaves[0];
    if (first === undefined) return used;
    const name: readonly [NameLeaf, ...NameLeaf[]] =
      hostOf(first.text) === undefined && first.suffix === ""
        ? this.#withRegistry(map, image, [first, ...leaves.slice(1)], path, chart)
        : [first, ...leaves.slice(1)];
    const beside = {
      tag: this.#tagText(map, image.tag, path),
      digest: stringOf(image.digest === undefined ? undefined : map[image.digest]),
      leaves: versionLeaves(map, path, image),
    };
    this.#add(path, name, beside, where, chart);
    if (image.split) {
      this.#unsupported(
        path,
        `the image is split over ${[...image.path, image.tag].filter((key) => key !== undefined).join(" and ")} with no clear repository`,
      );
    }
    return used;
  }

  #withRegistry(
    map: YamlMap,
    image: ImageKeys,
    leaves: readonly [NameLeaf, ...NameLeaf[]],
    path: ValuePath,
    chart: ChartInstance,
  ): readonly [NameLeaf, ...NameLeaf[]] {
    const inherited = inheritedRegistry(this.#input.values, chart.path, path);
    if (image.registry === undefined) return prepend(inherited, leaves);
    const overriding = overridingRegistry(this.#input.values, chart.path);
    if (overriding !== undefined) return [overriding, ...leaves];
    const own = stringOf(map[image.registry]);
    if (holdsTemplate(own)) {
      this.#reportTemplate([...path, image.registry]);
      return leaves;
    }
    const preset = own || stringOf(map["defaultRegistry"]);
    if (preset === "" && inherited.length > 0) return prepend(inherited, leaves);
    const text = preset || mainImageRegistry(this.#input.values, chart.path, path);
    return [registryLeafOf([...path, image.registry], text), ...leaves];
  }

  #text(text: string, key: string, path: ValuePath, siblings: YamlMap, chart: ChartInstance): void {
    const named = this.#input.isNamedImage?.(formatValuePath(path)) ?? false;
    const image: ImageText = imageTextOf(text, key, siblings, {
      isKnownHost: this.#input.isKnownHost,
      named,
      amongImages: /^images$/iu.test(lastKey(path.slice(0, -1))),
    });
    if (image.kind === "template") this.#reportTemplate(path);
    else if (image.kind === "unparsable") {
      this.#reportUnparsable(path, text);
      this.unparsable.push({ path, text, enabled: chart.enabled });
    } else if (image.kind === "reference") {
      const { prefix, name, suffix } = splitNameText(text);
      const leaf: NameLeaf = { path, text: name, prefix, suffix };
      const inherits = image.relative && hostOf(name) === undefined && suffix === "";
      const names = inherits
        ? prepend(inheritedRegistry(this.#input.values, chart.path, path), [leaf])
        : ([leaf] as const);
      const parent = path.slice(0, -1);
      const beside = {
        tag: this.#tagText(siblings, image.tagKey, parent),
        digest: "",
        leaves: versionLeaves(siblings, parent, { tag: image.tagKey }),
      };
      this.#add(path, names, suffix === "" ? beside : nothingBeside, path, chart);
    }
  }

  #add(
    path: ValuePath,
    name: readonly [NameLeaf, ...NameLeaf[]],
    beside: VersionBeside,
    where: ValuePath,
    chart: ChartInstance,
  ): void {
    const last = name.at(-1) ?? name[0];
    const base = name
      .map((leaf) => leaf.text)
      .filter((part) => part !== "")
      .join("/");
    const text = spell(base, last.suffix, beside);
    const whole = tryParseReference(text);
    const reference = whole ?? tryParseReference(base);
    if (whole === undefined) this.#reportUnparsable(where, text);
    if (reference === undefined) this.unparsable.push({ path: where, text, enabled: chart.enabled });
    else {
      const versions = [beside.leaves];
      this.sites.push({ path, name, versions, reference, text, enabled: chart.enabled });
    }
  }

  #tagText(map: YamlMap, key: string | undefined, path: ValuePath): string {
    const tag = key === undefined ? undefined : map[key];
    if (key === undefined || tag === undefined || tag === null) return "";
    if (typeof tag === "string") {
      if (!holdsTemplate(tag)) return tag;
      this.#reportTemplate([...path, key]);
      return "";
    }
    if (typeof tag === "object") return "";
    const text = typeof tag === "number" ? formatGoFloat(tag) : String(tag);
    this.#unsupported([...path, key], `the tag is a ${typeof tag}, which Helm prints as ${text}`);
    return text;
  }

  /** Document 002, §6.1.1 for the message. */
  #reportUnparsable(path: ValuePath, text: string): void {
    this.diagnostics.push({
      code: "reference-unparsable",
      severity: "warning",
      message: `Cannot parse image reference '${excerpt(text)}': invalid format`,
      where: { valuePath: formatValuePath(path) },
      image: text,
      unsupported: true,
    });
  }

  #reportTemplate(path: ValuePath): void {
    this.diagnostics.push({
      code: "template-in-value",
      severity: "warning",
      message: "the value holds template code and is not read as an image reference",
      where: { valuePath: formatValuePath(path) },
      hint: "render with --verify to see which image it makes",
      unsupported: true,
    });
  }

  #unsupported(path: ValuePath, message: string): void {
    this.diagnostics.push({
      code: "unsupported-structure",
      severity: "warning",
      message,
      where: { valuePath: formatValuePath(path) },
      unsupported: true,
    });
  }
}

/** What stands in leaves of its own beside the name of an image. */
interface VersionBeside {
  readonly tag: string;
  readonly digest: string;
  readonly leaves: VersionLeaves;
}

const nothingBeside: VersionBeside = { tag: "", digest: "", leaves: {} };

/** The leaves under the keys of an image's tag and digest, where they are texts. */
function versionLeaves(
  map: YamlMap,
  path: ValuePath,
  keys: { readonly tag?: string | undefined; readonly digest?: string | undefined },
): VersionLeaves {
  const leafAt = (key: string | undefined): VersionLeaf | undefined => {
    const text = key === undefined ? "" : stringOf(map[key]);
    if (key === undefined || text === "" || holdsTemplate(text)) return undefined;
    return { path: [...path, key], text, before: "", after: "" };
  };
  const [tag, digest] = [leafAt(keys.tag), leafAt(keys.digest)];
  return { ...(tag === undefined ? {} : { tag }), ...(digest === undefined ? {} : { digest }) };
}

/** The reference that a name, what follows it in its leaf, and the tag and digest beside it spell. */
function spell(
  name: string,
  suffix: string,
  beside: { readonly tag: string; readonly digest: string },
): string {
  if (/^@sha\d+$/u.test(suffix)) return `${name}${suffix}:${beside.tag}`;
  const hasTag = suffix.startsWith(":");
  const tag = suffix === "" && beside.tag !== "" ? `:${beside.tag}` : "";
  if (suffix.includes("@") || beside.digest === "") return `${name}${suffix}${tag}`;
  const digest = beside.digest.includes(":") ? beside.digest : `sha256:${beside.digest}`;
  return `${name}${hasTag ? suffix : tag}@${digest}`;
}

function prepend(
  registry: readonly NameLeaf[],
  leaves: readonly [NameLeaf, ...NameLeaf[]],
): readonly [NameLeaf, ...NameLeaf[]] {
  const [first, ...rest] = registry;
  return first === undefined ? leaves : [first, ...rest, ...leaves];
}

function withoutInherited(map: YamlMap, inherited: YamlMap): YamlMap {
  const own: Record<string, YamlValue> = Object.create(null) as Record<string, YamlValue>;
  for (const [key, value] of Object.entries(map)) {
    const parent = inherited[key];
    if (parent === undefined) own[key] = value;
    else if (isYamlMap(value) && isYamlMap(parent)) own[key] = withoutInherited(value, parent);
  }
  return own;
}

function isAt(path: ValuePath, chartPath: readonly string[]): boolean {
  return path.length === chartPath.length;
}

function lastKey(path: ValuePath): string {
  return path.findLast((key) => typeof key === "string") ?? "";
}

function stringOf(value: YamlValue | undefined): string {
  return typeof value === "string" ? value : "";
}
