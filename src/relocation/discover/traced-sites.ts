import type { YamlMap } from "../../yaml/value.ts";
import type { Manifest } from "../rendering/manifest.ts";
import { findRenderedImages } from "../rendering/rendered-image.ts";
import { spansOfImage } from "../rendering/trace.ts";
import type { ImageSite } from "./image-site.ts";
import { siteOfRendering } from "./rendered-site.ts";
import type { VersionLeaves } from "./version-leaf.ts";

/**
 * The places in the values that make the images of a rendering, by what their texts come from; each once.
 * Images that no value makes, and renderings that are not traced, give none.
 * @param values the root's values that were rendered
 */
export function tracedSites(
  manifests: readonly Manifest[],
  values: YamlMap,
  isKnownHost: (host: string) => boolean,
): ImageSite[] {
  const sites = new Map<string, ImageSite>();
  for (const manifest of manifests) {
    if (manifest.traced === undefined) continue;
    for (const image of findRenderedImages(manifest, isKnownHost)) {
      const { text, reference } = image;
      const site = siteOfRendering({ text, reference, spans: spansOfImage(manifest, image) }, values);
      if (site === undefined) continue;
      const key = JSON.stringify([text, site.name.map(({ path }) => path)]);
      const known = sites.get(key);
      sites.set(key, known === undefined ? site : { ...known, versions: joinVersions(known, site) });
    }
  }
  return [...sites.values()];
}

/** Images of one name may have their tags from different values. */
function joinVersions({ versions }: ImageSite, { versions: more }: ImageSite): readonly VersionLeaves[] {
  const keys = new Set(versions.map((leaves) => JSON.stringify(leaves)));
  return [...versions, ...more.filter((leaves) => !keys.has(JSON.stringify(leaves)))];
}

/**
 * What a rendering tells wins over what the values look like: a site of the values stays only where no leaf of
 * it is known from a rendering.
 */
export function joinSites(traced: readonly ImageSite[], found: readonly ImageSite[]): ImageSite[] {
  const known = new Set(traced.flatMap((site) => site.name.map(({ path }) => JSON.stringify(path))));
  const others = found.filter((site) => !site.name.some(({ path }) => known.has(JSON.stringify(path))));
  return [...traced, ...others];
}
